public import Streams

extension Recorder {
  /// Waits for the completion.
  ///
  /// - Returns: The first completion, or `nil` if the task was cancelled before there was one.
  nonisolated(nonsending) public func ended() async -> Subscribers.Completion<Failure>? {
    await wait(for: .max)
    return completions.first
  }

  /// Waits for `count` values, or the completion.
  ///
  /// - Returns: All values so far; fewer than `count` if the stream ended or the task was cancelled.
  nonisolated(nonsending) public func received(_ count: Int) async -> [Input] {
    await wait(for: count)
    return values
  }

  /// - Parameter limit: The longest time to wait; `nil` is for ever.
  nonisolated(nonsending) func wait(for count: Int, within limit: Duration? = nil) async {
    if state.withLock({ $0.hasEnded || $0.count >= count }) { return }
    let waiter = Waiter(count: count)
    let resumption = waiter.resumption
    let clock = limit.map { limit in
      Task {
        try? await Task.sleep(for: limit)
        resumption.resume()
      }
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        resumption.hold(continuation)
        let satisfied = state.withLock { state in
          state.waiters.append(waiter)
          return state.takeSatisfied()
        }
        for waiter in satisfied { waiter.resumption.resume() }
      }
    } onCancel: {
      resumption.resume()
    }
    clock?.cancel()
    state.withLock { state in state.waiters.removeAll { $0.resumption === resumption } }
  }
}

/// A task that waits for a number of values, or the completion.
struct Waiter {
  let count: Int
  let resumption = Resumption()
}

extension Recorder.State {
  mutating func takeSatisfied() -> [Waiter] {
    if waiters.isEmpty { return [] }
    let satisfied = waiters.filter { hasEnded || $0.count <= count }
    waiters.removeAll { hasEnded || $0.count <= count }
    return satisfied
  }
}
