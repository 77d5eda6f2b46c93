public import Foundation
public import Streams

/// A queue runs scheduled work as operations: `maxConcurrentOperationCount` and `isSuspended` apply to them, and
/// `cancelAllOperations()` cancels waiting ones, including the rest of a repetition that is not running.
extension OperationQueue: Scheduler {
  /// A point in the time of an operation queue: a date.
  public struct SchedulerTimeType: RunLoop.WallTime {
    /// The same as a date.
    public var date: Date

    public init(_ date: Date) { self.date = date }

    /// A length of time in seconds. Literals are seconds: `now.advanced(by: 0.5)`.
    public struct Stride: RunLoop.WallTimeStride {
      public var magnitude: TimeInterval

      /// A number of seconds.
      public init(_ seconds: TimeInterval) { magnitude = seconds }
    }
  }

  /// The options of an operation queue. There are none.
  public struct SchedulerOptions: Sendable {}

  /// The present date.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// Zero: a queue accepts any tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Adds an operation that runs `action`.
  ///
  /// `OperationQueue.main` runs actions only if the main queue is served; see
  /// ``Dispatch/DispatchQueue/schedule(options:_:)``.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    addOperation(BlockOperation(block: job(action)))
  }

  /// Adds an operation that runs `action` at `date`. Until then, one operation waits in the queue for all that are delayed.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    _ = addOperation(at: date, tolerance: tolerance, action)
  }

  /// - Returns: A closure that takes it back.
  private func addOperation(
    at date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> @Sendable () -> Void {
    DelayedOperations.shared.add(
      to: self, at: SteadyDates.date(for: date.reachable), leeway: tolerance.leeway, job(action))
  }

  /// Adds an operation that runs `action` at `date`; afterwards it adds the next one, `interval` later.
  ///
  /// Runs never overlap, even on queues that run several operations. A run waits while the queue is busy or suspended, and
  /// times that pass meanwhile are skipped. An interval that is not positive means as often as a timer can.
  ///
  /// - Returns: A cancellable that stops it when it is cancelled or released. Then `action` is released and not run again;
  ///   a run in progress finishes.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(
      of: job(action), on: self, every: interval.period, leeway: tolerance.leeway)
    repetition.arrange(at: SteadyDates.date(for: date.reachable))
    return AnyCancellable(repetition)
  }

  private func job(_ action: @escaping () -> Void) -> @Sendable () -> Void {
    // One operation runs it after it was added, and each of a repetition after the one before it.
    let transfer = Transfer(action)
    return { transfer.value() }
  }
}

extension OperationQueue: RevocableScheduler {
  @usableFromInline
  package func scheduleOnce(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    AnyCancellable(addOperation(at: date, tolerance: tolerance, action))
  }
}
