import Foundation
import StreamImages

/// A body of some chunks, and then an error or the end. It counts what is asked of it.
final class CountedChunks: DataChunks {
  private let rest: Shared<ArraySlice<Data>>
  private let error: DataLoadingError?
  let reads = Shared(0)
  let cancellations = Shared(0)

  init(_ chunks: [Data], then error: DataLoadingError? = nil) {
    rest = Shared(chunks[...])
    self.error = error
  }

  func next() async throws(DataLoadingError) -> Data? {
    reads.change { $0 += 1 }
    var chunk: Data?
    rest.change { chunk = $0.popFirst() }
    if chunk == nil, let error { throw error }
    return chunk
  }

  func cancel() { cancellations.change { $0 += 1 } }
}
