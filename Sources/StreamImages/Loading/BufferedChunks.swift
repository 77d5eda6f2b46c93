public import Foundation
internal import Streams

/// A body that is already in memory, for example from a cache, a closure or a test.
public final class BufferedChunks: DataChunks {
  private enum State: Sendable {
    case holds(Data)
    case ended
    case cancelled
  }

  private let state: Guarded<State>

  /// Creates a body of these bytes, in one chunk.
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
