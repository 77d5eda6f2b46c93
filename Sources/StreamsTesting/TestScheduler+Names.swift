public import Dispatch
public import Foundation
public import Streams
public import StreamsExtras
public import StreamsFoundation
internal import StreamsFoundationExtras

/// A test scheduler with the time and options of `Context`.
public typealias TestSchedulerOf<Context: Scheduler> =
  TestScheduler<Context.SchedulerTimeType, Context.SchedulerOptions>

extension DispatchQueue {
  /// A new test scheduler in place of a queue.
  @_disfavoredOverload
  public static var test: TestSchedulerOf<DispatchQueue> { TestScheduler(now: immediate.now) }
}

extension OperationQueue {
  /// A new test scheduler in place of a queue.
  @_disfavoredOverload
  public static var test: TestSchedulerOf<OperationQueue> { TestScheduler(now: immediate.now) }
}

extension RunLoop {
  /// A new test scheduler in place of a run loop.
  @_disfavoredOverload
  public static var test: TestSchedulerOf<RunLoop> { TestScheduler(now: immediate.now) }
}

extension UIScheduler {
  /// A new test scheduler in place of the scheduler of the main actor.
  public static var test: TestSchedulerOf<UIScheduler> { TestScheduler(now: immediate.now) }
}
