package import Foundation
internal import Streams

/// A body that is recorded while it is read, and stored once it has ended without an error.
package final class RecordedChunks: DataChunks {
  private struct State: Sendable {
    /// `nil` if the body is not to be stored, or was stored already.
    var whole: Data? = Data()
  }

  private let body: any DataChunks
  private let limit: Int
  private let keep: @Sendable (Data) async -> Void
  private let state = Guarded(State())

  /// - Parameter limit: A larger body is not stored.
  package init(_ body: any DataChunks, limit: Int, keep: @escaping @Sendable (Data) async -> Void) {
    self.body = body
    self.limit = limit
    self.keep = keep
  }

  package func next() async throws(DataLoadingError) -> Data? {
    guard let chunk = try await body.next() else {
      let whole = state.withLock { state in
        defer { state.whole = nil }
        return state.whole
      }
      if let whole { await keep(whole) }
      return nil
    }
    state.withLock { state in
      let hasRoom = state.whole.map { chunk.count <= limit - $0.count } ?? false
      if hasRoom { state.whole?.append(chunk) } else { state.whole = nil }
    }
    return chunk
  }

  package func cancel() {
    body.cancel()
    state.withLock { $0.whole = nil }
  }
}
