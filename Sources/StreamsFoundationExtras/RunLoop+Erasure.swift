public import Foundation

extension RunLoop {
  /// Erases the type of the run loop, and keeps its time and options. Any thread may schedule on the result.
  @_disfavoredOverload
  public func eraseToAnyScheduler() -> AnySchedulerOf<RunLoop> { AnyScheduler(AnyThreadLoop(loop: self)) }
}

/// A run loop as a scheduler.
///
/// Foundation's run loops are not `Sendable`, because most of their functions belong to one thread.
private struct AnyThreadLoop: Scheduler, BatchingScheduler, SchedulerWrapper {
  let loop: RunLoop

  var wrapped: (any RevocableScheduler<RunLoop.SchedulerTimeType>)? { loop }
  var now: RunLoop.SchedulerTimeType { loop.now }
  var minimumTolerance: RunLoop.SchedulerTimeType.Stride { loop.minimumTolerance }

  func schedule(options: RunLoop.SchedulerOptions?, _ action: @escaping () -> Void) {
    loop.schedule(options: options, action)
  }

  func schedule(
    after date: RunLoop.SchedulerTimeType, tolerance: RunLoop.SchedulerTimeType.Stride,
    options: RunLoop.SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    loop.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  func schedule(
    after date: RunLoop.SchedulerTimeType, interval: RunLoop.SchedulerTimeType.Stride,
    tolerance: RunLoop.SchedulerTimeType.Stride, options: RunLoop.SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    loop.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}

// What it does with the loop may be done from any thread: see `RunLoop.schedule`.
extension AnyThreadLoop: @unchecked Sendable {}
