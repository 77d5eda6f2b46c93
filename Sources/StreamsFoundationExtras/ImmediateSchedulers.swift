public import Dispatch
public import Foundation

extension DispatchQueue {
  /// Runs everything immediately, in place of a queue.
  @_disfavoredOverload
  public static var immediate: ImmediateSchedulerOf<DispatchQueue> {
    // Zero means the present to Dispatch.
    ImmediateSchedulerOf(now: SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1)))
  }
}

extension OperationQueue {
  /// Runs everything immediately, in place of a queue.
  @_disfavoredOverload
  public static var immediate: ImmediateSchedulerOf<OperationQueue> {
    ImmediateSchedulerOf(now: SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 0)))
  }
}

extension RunLoop {
  /// Runs everything immediately, in place of a run loop.
  @_disfavoredOverload
  public static var immediate: ImmediateSchedulerOf<RunLoop> {
    ImmediateSchedulerOf(now: SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 0)))
  }
}
