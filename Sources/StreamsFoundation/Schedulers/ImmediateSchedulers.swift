public import Dispatch
public import Foundation
public import Streams

extension DispatchQueue {
  /// Runs everything here and now, where a queue is wanted.
  @_disfavoredOverload
  public static var immediate: ImmediateSchedulerOf<DispatchQueue> {
    // Zero means the present to Dispatch.
    ImmediateSchedulerOf(now: SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1)))
  }
}

extension OperationQueue {
  /// Runs everything here and now, where a queue is wanted.
  @_disfavoredOverload
  public static var immediate: ImmediateSchedulerOf<OperationQueue> {
    ImmediateSchedulerOf(now: SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 0)))
  }
}

extension RunLoop {
  /// Runs everything here and now, where a run loop is wanted.
  @_disfavoredOverload
  public static var immediate: ImmediateSchedulerOf<RunLoop> {
    ImmediateSchedulerOf(now: SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 0)))
  }
}
