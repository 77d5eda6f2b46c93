public import Foundation
public import Streams

/// A queue runs what is scheduled as operations: `maxConcurrentOperationCount` and `isSuspended` hold for them, and
/// `cancelAllOperations()` takes back those that wait, including the rest of a repetition.
extension OperationQueue: Scheduler {
  /// A point in the time of an operation queue: a date.
  public struct SchedulerTimeType: WallTime {
    public var date: Date

    public init(_ date: Date) { self.date = date }

    /// A length of time in seconds. Literals are seconds: `now.advanced(by: 0.5)`.
    public struct Stride: WallTimeStride {
      public var magnitude: TimeInterval

      /// So many seconds.
      public init(_ seconds: TimeInterval) { magnitude = seconds }
    }
  }

  /// How an operation queue runs an action. There is nothing to choose.
  public struct SchedulerOptions: Sendable {}

  /// The present date.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// Zero: a queue can be held to any tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Adds an operation that runs `action`.
  ///
  /// `OperationQueue.main` runs actions only if somebody services the main queue; see
  /// ``Dispatch/DispatchQueue/schedule(options:_:)``.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    addOperation(BlockOperation(block: job(action)))
  }

  /// Adds an operation that becomes ready at `date`, and runs `action`.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    addOperation(Appointment(at: date.reachable, leeway: tolerance.leeway, job(action)))
  }

  /// Adds an operation that becomes ready at `date`, and runs `action`; when it did, the same for `interval` later.
  ///
  /// Runs never overlap, on queues of many operations neither. Times that pass while the queue is busy or suspended
  /// are left out. An interval that is not positive means as often as a timer can.
  ///
  /// - Returns: What stops it, when cancelled or when dropped. Then `action` is let go of and not run again; a run
  ///   that has begun ends.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(
      of: job(action), on: self, every: interval.period, leeway: tolerance.leeway)
    repetition.arrange(at: date.reachable)
    return AnyCancellable(repetition)
  }

  private func job(_ action: @escaping () -> Void) -> @Sendable () -> Void {
    // One operation runs it after it was added, and each of a repetition after the one before it.
    let transfer = Transfer(action)
    return { transfer.run() }
  }
}
