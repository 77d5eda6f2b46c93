internal import Streams

/// Suspends tasks until it has been opened a number of times.
///
/// ```swift
/// let latch = Latch()
/// let decoder = ScriptedDecoder { _ in latch.open() }
/// await latch.wait()  // decoding has begun
/// ```
public final class Latch: Sendable {
  private struct State: Sendable {
    var missing: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Guarded<State>

  /// Creates a latch.
  ///
  /// - Parameter count: How many times it must be opened. A latch with 0 is open.
  public init(_ count: Int = 1) { state = Guarded(State(missing: count)) }

  /// Whether the latch is open.
  public var isOpen: Bool { state.withLock { $0.missing <= 0 } }

  /// Opens the latch once. The last missing call resumes all waiting tasks.
  public func open() {
    let waiting = state.withLock { state in
      state.missing -= 1
      guard state.missing <= 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the latch is open, even if the task is cancelled.
  nonisolated(nonsending) public func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if state.missing > 0 { state.waiting.append(continuation) }
        return state.missing <= 0
      }
      if isOpen { continuation.resume() }
    }
  }
}
