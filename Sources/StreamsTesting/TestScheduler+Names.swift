public import Dispatch
public import Foundation
public import Streams
public import StreamsFoundation

/// A test scheduler that passes for one with the time and the options of `Context`.
public typealias TestSchedulerOf<Context: Scheduler> =
  TestScheduler<Context.SchedulerTimeType, Context.SchedulerOptions>

extension DispatchQueue {
  /// A new scheduler whose time a test moves, where a queue is wanted.
  @_disfavoredOverload
  public static var test: TestSchedulerOf<DispatchQueue> {
    TestScheduler(now: DispatchQueue.immediate.now)
  }
}

extension OperationQueue {
  /// A new scheduler whose time a test moves, where a queue is wanted.
  @_disfavoredOverload
  public static var test: TestSchedulerOf<OperationQueue> {
    TestScheduler(now: OperationQueue.immediate.now)
  }
}

extension RunLoop {
  /// A new scheduler whose time a test moves, where a run loop is wanted.
  @_disfavoredOverload
  public static var test: TestSchedulerOf<RunLoop> {
    TestScheduler(now: RunLoop.immediate.now)
  }
}
