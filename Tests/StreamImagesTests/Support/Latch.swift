import StreamImages

/// Holds tasks back until it was opened so many times.
final class Latch: Sendable {
  private struct State: Sendable {
    var missing: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Guarded<State>

  init(_ count: Int = 1) { state = Guarded(State(missing: count)) }

  var isOpen: Bool { state.withLock { $0.missing <= 0 } }

  func open() {
    let waiting = state.withLock { state in
      state.missing -= 1
      guard state.missing <= 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if state.missing > 0 { state.waiting.append(continuation) }
        return state.missing <= 0
      }
      if isOpen { continuation.resume() }
    }
  }
}
