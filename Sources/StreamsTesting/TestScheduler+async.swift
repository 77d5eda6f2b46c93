internal import Streams

/// Moving time from asynchronous code. Before, between and after actions the tasks that wait for them go on, and may
/// schedule others. Actions run on the actor of the caller, as in a test that is not asynchronous.
///
/// Nobody can tell when other tasks have done all they can: these calls step aside for them many times over, which is
/// enough for tasks that only compute and wait for the scheduler.
extension TestScheduler {
  /// Runs everything that falls due in the next `stride`, and moves the time by it, while other tasks go on.
  nonisolated(nonsending) public func advance(by stride: SchedulerTimeType.Stride = .zero) async {
    await advance(to: now.advanced(by: stride))
  }

  /// Runs everything that falls due up to `instant`, and moves the time there, while other tasks go on.
  nonisolated(nonsending) public func advance(to instant: SchedulerTimeType) async {
    await stepAside()
    while let action = next(until: instant) {
      action()
      await stepAside()
    }
    arrive(at: instant)
  }

  /// Runs everything that is scheduled, however far ahead, while other tasks go on.
  ///
  /// - Parameter limit: How many actions to run at most: one that repeats never comes to an end.
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

  /// Every turn goes to the end of the queue, behind what is ready to run.
  nonisolated(nonsending) private func stepAside() async {
    for _ in 0..<100 {
      await Task.detached(priority: .background) { await Task.yield() }.value
    }
  }
}
