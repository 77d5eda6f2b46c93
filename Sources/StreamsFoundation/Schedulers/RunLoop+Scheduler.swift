public import Foundation
public import Streams

extension RunLoop: Scheduler {
  /// A point in the time of a run loop: a date.
  public struct SchedulerTimeType: WallTime {
    /// The same as a date.
    public var date: Date

    public init(_ date: Date) { self.date = date }

    /// A length of time in seconds. Literals are seconds: `now.advanced(by: 0.5)`.
    public struct Stride: WallTimeStride {
      public var magnitude: TimeInterval

      /// A number of seconds.
      public init(_ seconds: TimeInterval) { magnitude = seconds }
    }
  }

  /// The options of a run loop for an action.
  public struct SchedulerOptions: Sendable {
    /// The mode in which the loop must run for the action to run. In any other mode, the action waits.
    public var mode: RunLoop.Mode

    /// Creates options. Omitted ones have their defaults.
    public init(mode: RunLoop.Mode = .default) { self.mode = mode }
  }

  /// The present date.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// Zero: a run loop accepts any tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs `action` on the thread of the loop, when that runs in the default mode, or the mode of the options.
  ///
  /// Any thread may call this. Nothing happens while the loop does not run. `RunLoop.main` does not run in a program with an
  /// asynchronous `main`: there the main queue runs the action, on the thread that serves that queue.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    perform(in: options?.mode ?? .default, job(action))
  }

  /// Runs `action` on the loop at `date`, or at once if that is past.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    _ = startTimer(
      at: date.reachable, every: nil, leeway: tolerance.leeway, in: options?.mode ?? .default, job(action))
  }

  /// Runs `action` on the loop at `date`, and then every `interval`.
  ///
  /// Times that pass while the loop is busy are skipped, or replaced by one run. An interval that is not positive means as
  /// often as a timer can.
  ///
  /// - Returns: A cancellable that stops it when it is cancelled or released. If you cancel it on the thread of the loop,
  ///   `action` is not run again. If you cancel it elsewhere, a run in progress finishes.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let stop = startTimer(
      at: date.reachable, every: interval.period, leeway: tolerance.leeway, in: options?.mode ?? .default,
      job(action))
    return AnyCancellable(stop)
  }

  private func job(_ action: @escaping () -> Void) -> @Sendable () -> Void {
    // The one thread of the loop runs it, after it was handed over.
    let transfer = Transfer(action)
    return { transfer.value() }
  }
}

// What a loop is to perform cannot be taken back, so what waits for it is never left behind.
extension RunLoop: BatchingScheduler {}

extension RunLoop: RevocableScheduler {
  @usableFromInline
  package func scheduleOnce(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    AnyCancellable(
      startTimer(at: date.reachable, every: nil, leeway: tolerance.leeway, in: .default, job(action)))
  }
}
