internal import Foundation
internal import Streams

/// A body that is remembered as it is pulled, and kept when it has ended as it should.
final class KeptChunks: DataChunks {
  private struct State: Sendable {
    /// `nil` if it is not to be kept, or has been.
    var whole: Data? = Data()
  }

  private let body: any DataChunks
  private let limit: Int
  private let keep: @Sendable (Data) async -> Void
  private let state = Guarded(State())

  /// - Parameter limit: What is larger is not kept.
  init(_ body: any DataChunks, limit: Int, keep: @escaping @Sendable (Data) async -> Void) {
    self.body = body
    self.limit = limit
    self.keep = keep
  }

  func next() async throws(DataLoadingError) -> Data? {
    guard let chunk = try await body.next() else {
      let whole = state.withLock { state in
        defer { state.whole = nil }
        return state.whole
      }
      if let whole { await keep(whole) }
      return nil
    }
    state.withLock { state in
      let hasRoom = (state.whole?.count ?? limit) + chunk.count <= limit
      if hasRoom { state.whole?.append(chunk) } else { state.whole = nil }
    }
    return chunk
  }

  func cancel() {
    body.cancel()
    state.withLock { $0.whole = nil }
  }
}
