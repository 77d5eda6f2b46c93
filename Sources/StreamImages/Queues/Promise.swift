internal import Streams

/// A value that is set once, and that at most one task awaits.
final class Promise<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case pending
    case awaited(CheckedContinuation<Void, Never>)
    case fulfilled(Value)
  }

  private let state = Guarded(State.pending)

  var isFulfilled: Bool { state.withLock { if case .fulfilled = $0 { true } else { false } } }

  /// Suspends the calling task until there is a value. Calls `waiting` once the task waits.
  ///
  /// Cancelling the task fulfils the promise with `cancelled`.
  func value(ifCancelled cancelled: Value, waiting: () -> Void) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        setWaiting(continuation)
        waiting()
      }
    } onCancel: {
      fulfil(cancelled)
    }
    // The thread sanitizer sees the order of threads in the lock, and not always in a continuation.
    return state.withLock { state in
      if case .fulfilled(let value) = state { value } else { cancelled }
    }
  }

  private func setWaiting(_ continuation: CheckedContinuation<Void, Never>) {
    let isFulfilled = state.withLock { state in
      if case .fulfilled = state { return true }
      state = .awaited(continuation)
      return false
    }
    if isFulfilled { continuation.resume() }
  }

  /// Sets the value, unless it is set already.
  func fulfil(_ value: Value) {
    let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
      let earlier = state
      switch earlier {
      case .fulfilled: return nil
      case .pending, .awaited: state = .fulfilled(value)
      }
      if case .awaited(let continuation) = earlier { return continuation }
      return nil
    }
    waiting?.resume()
  }
}
