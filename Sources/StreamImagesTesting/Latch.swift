internal import Streams

/// Holds tasks back until it was opened so many times.
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

  /// A latch that opens when it has been told so often.
  ///
  /// - Parameter count: How often it has to be opened. With 0 it is open.
  public init(_ count: Int = 1) { state = Guarded(State(missing: count)) }

  /// Whether nobody has to wait.
  public var isOpen: Bool { state.withLock { $0.missing <= 0 } }

  /// Lets all go who wait, if this was the last time that was missing.
  public func open() {
    let waiting = state.withLock { state in
      state.missing -= 1
      guard state.missing <= 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until it is open, also if the task is cancelled.
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
