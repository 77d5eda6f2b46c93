/// Something that decides when and where an action runs.
public protocol Scheduler<SchedulerTimeType> {
  /// A point in this scheduler's time.
  associatedtype SchedulerTimeType: Strideable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible

  /// What can be asked of the scheduler besides time. `Never` if nothing can.
  associatedtype SchedulerOptions

  /// This scheduler's present.
  var now: SchedulerTimeType { get }

  /// The least tolerance the scheduler can be held to.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs `action` at the next opportunity.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)

  /// Runs `action` at some time after `date`.
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void)

  /// Runs `action` at some time after `date`, then every `interval`, until the result is cancelled.
  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable
}

extension Scheduler {
  /// Runs `action` at the next opportunity.
  @inlinable
  public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }

  /// Runs `action` at some time after `date`.
  @inlinable
  public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs `action` at some time after `date`, within `tolerance`.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) {
    schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Runs `action` at some time after `date`, then every `interval`, until the result is cancelled.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs `action` at some time after `date`, then every `interval` within `tolerance`, until cancelled.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }
}

/// A length of time that can be made from the usual units.
public protocol SchedulerTimeIntervalConvertible {
  /// A length of so many seconds.
  static func seconds(_ seconds: Int) -> Self
  /// A length of so many seconds.
  static func seconds(_ seconds: Double) -> Self
  /// A length of so many milliseconds.
  static func milliseconds(_ milliseconds: Int) -> Self
  /// A length of so many microseconds.
  static func microseconds(_ microseconds: Int) -> Self
  /// A length of so many nanoseconds.
  static func nanoseconds(_ nanoseconds: Int) -> Self
}
