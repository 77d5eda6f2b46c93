import Foundation
import StreamImages

/// Answers with a head and chunks, whether they fit together or not.
struct ScriptedLoader: DataLoading {
  let head: LoadedHead
  let chunks: [Data]

  func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
    LoadedData(head: head, body: Chunks(chunks))
  }

  private final class Chunks: DataChunks {
    private let rest: Shared<[Data]>

    init(_ chunks: [Data]) { rest = Shared(chunks) }

    func next() async throws(DataLoadingError) -> Data? {
      let next = rest.value.first
      rest.change { $0 = Array($0.dropFirst()) }
      return next
    }

    func cancel() { rest.change { $0 = [] } }
  }
}
