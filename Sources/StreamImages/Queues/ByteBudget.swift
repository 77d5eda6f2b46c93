internal import Streams

/// Counts bytes that wait for something, and suspends tasks that would add more while there are too many.
///
/// Bytes are counted until their ``Charge`` is released, even if they are not needed any more.
package final class ByteBudget: Sendable {
  /// Counts a number of bytes until the last reference is released.
  package final class Charge: Sendable {
    private let byteCount: Int
    private let budget: ByteBudget

    fileprivate init(_ byteCount: Int, to budget: ByteBudget) {
      (self.byteCount, self.budget) = (byteCount, budget)
    }

    deinit { budget.count(-byteCount) }
  }

  private struct State {
    var byteCount = 0
    /// Resumed with false when there may be room.
    var waiting = WaitingTasks<Bool, Void>()
  }

  private let state = Guarded(State())
  private let limit: Int

  /// - Parameter limit: Above this number of bytes there is no room; at least 0.
  package init(limit: Int) { self.limit = max(0, limit) }

  package var byteCount: Int { state.withLock { $0.byteCount } }

  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  package func charge(_ byteCount: Int) -> Charge {
    count(byteCount)
    return Charge(byteCount, to: self)
  }

  /// Returns when there is room, or when the task is cancelled.
  package func waitForRoom() async {
    // All waiting tasks are resumed together, so there may be no room any more when one of them runs.
    while await !state.wait(
      in: { $1(&$0.waiting) }, info: (), ifCancelled: true, unless: { $0.byteCount > limit ? nil : true })
    {}
  }

  private func count(_ change: Int) {
    let resumed = state.withLock { state in
      state.byteCount += change
      return state.byteCount <= limit ? state.waiting.removeAll() : []
    }
    for task in resumed { task.resume(returning: false) }
  }
}
