public import NIOCore
public import Streams

/// A scheduler that runs actions on an event loop of SwiftNIO.
///
/// ```swift
/// let settled = words.debounce(for: .milliseconds(300), scheduler: eventLoop.scheduler)
/// ```
///
/// Actions run on the thread of the event loop, one at a time, and never inside `schedule`. Those for the same time run in the
/// order in which they were scheduled. Any thread can schedule. Times are deadlines of the event loop, so an
/// `EmbeddedEventLoop` or a `NIOAsyncTestingEventLoop` is a scheduler in virtual time.
///
/// After the event loop is shut down, actions are released and do not run.
public struct EventLoopScheduler: Scheduler, Sendable {
  /// There are no options.
  public typealias SchedulerOptions = Never

  /// The event loop that runs the actions.
  public let eventLoop: any EventLoop

  /// Creates a scheduler that runs actions on `eventLoop`.
  public init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  /// The current time of the event loop. It stands still in an event loop for tests until the test advances it.
  public var now: SchedulerTimeType { SchedulerTimeType(eventLoop.now) }

  /// Zero.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Runs `action` on the event loop as soon as possible, also if the caller is on it.
  public func schedule(options _: Never?, _ action: @escaping () -> Void) {
    let action = LoopAction(run: action)
    eventLoop.execute { action.run() }
  }

  /// Runs `action` at `date`, or as soon as possible if that has passed. The event loop keeps its own precision: `tolerance`
  /// is not used.
  public func schedule(
    after date: SchedulerTimeType, tolerance _: SchedulerTimeType.Stride, options _: Never?,
    _ action: @escaping () -> Void
  ) {
    let action = LoopAction(run: action)
    eventLoop.scheduleTask(deadline: date.deadline) { action.run() }
  }

  /// Runs `action` at `date`, and then every `interval`, until the result is cancelled or released.
  ///
  /// Dates that pass while the event loop is busy are skipped. An `interval` that is not positive counts as one nanosecond.
  /// After a cancellation on the event loop, `action` does not run again. If another thread cancels, a run in progress ends.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance _: SchedulerTimeType.Stride, options _: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(of: LoopAction(run: action), every: interval, on: self)
    repetition.start(at: date)
    return AnyCancellable(repetition)
  }
}

extension EventLoop {
  /// A scheduler that runs actions on this event loop.
  @_disfavoredOverload
  public var scheduler: EventLoopScheduler { EventLoopScheduler(self) }
}

/// An action on its way to the event loop.
// Unchecked, because the event loop runs it after it was scheduled, and each run of a repetition after the one before.
struct LoopAction: @unchecked Sendable {
  let run: () -> Void
}
