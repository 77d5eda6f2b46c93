public import Foundation
internal import Streams

/// A body that is in memory already: of a cache, a closure, a test.
public final class BufferedChunks: DataChunks {
  private enum State: Sendable {
    case holds(Data)
    case ended
    case cancelled
  }

  private let state: Guarded<State>

  /// A body of these bytes, in one chunk.
  public init(_ data: Data) {
    state = Guarded(data.isEmpty ? .ended : .holds(data))
  }

  public func next() async throws(DataLoadingError) -> Data? {
    if Task.isCancelled { cancel() }
    let taken = state.withLock { state in
      defer { if case .holds = state { state = .ended } }
      return state
    }
    switch taken {
    case .holds(let data): return data
    case .ended: return nil
    case .cancelled: throw .cancelled
    }
  }

  public func cancel() {
    state.withLock { state in
      if case .holds = state { state = .cancelled }
    }
  }
}
