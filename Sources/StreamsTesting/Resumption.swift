internal import Streams

/// A continuation that is resumed once, by the first caller, possibly before it exists.
final class Resumption: Sendable {
  private enum State {
    case empty
    case held(CheckedContinuation<Void, Never>)
    case resumed
  }

  private let state = Guarded(State.empty)

  func hold(_ continuation: CheckedContinuation<Void, Never>) {
    let isLate = state.withLock { state in
      if case .resumed = state { return true }
      state = .held(continuation)
      return false
    }
    if isLate { continuation.resume() }
  }

  func resume() {
    let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .resumed }
      if case .held(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume()
  }
}
