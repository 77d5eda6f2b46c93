internal import Streams

/// Moves time from asynchronous code. Before, between and after actions, waiting tasks continue, and can schedule more.
/// Actions run on the actor of the caller, as in a synchronous test.
///
/// These calls wait for the tasks that the test or an action has started or resumed, and for what those start, until all of
/// them are done or wait for something else. Each time, a task that never rests is waited for at most ten seconds.
/// Work that leaves Swift's tasks, such as a block of a dispatch queue, is not waited for.
extension TestScheduler {
  /// Runs all actions due in the next `stride`, and moves the time by it, while other tasks continue.
  nonisolated(nonsending) public func advance(by stride: SchedulerTimeType.Stride = .zero) async {
    await advance(to: now.advanced(by: stride))
  }

  /// Runs all actions due up to `instant`, and moves the time there, while other tasks continue.
  nonisolated(nonsending) public func advance(to instant: SchedulerTimeType) async {
    await stepAside()
    while let action = next(until: instant) {
      action()
      await stepAside()
    }
    arrive(at: instant)
  }

  /// Runs all scheduled actions, however far ahead, while other tasks continue.
  ///
  /// - Parameter limit: The maximum number of actions, because a repeating action never ends.
  /// - Returns: True if nothing is left to run.
  @discardableResult
  nonisolated(nonsending) public func run(limit: Int = 100_000) async -> Bool {
    await stepAside()
    for _ in 0..<limit {
      guard let action = next(until: nil) else { return true }
      action()
      await stepAside()
    }
    return pending == 0
  }

  nonisolated(nonsending) private func stepAside() async {
    if await started.settle() { return }
    // Each turn is queued behind jobs that are ready to run.
    for _ in 0..<100 {
      await Task.detached(priority: .background) { await Task.yield() }.value
    }
  }
}
