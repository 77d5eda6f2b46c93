/// A type that decides when and where an action runs.
public protocol Scheduler<SchedulerTimeType> {
  /// A point in the scheduler's time.
  associatedtype SchedulerTimeType: Strideable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible

  /// Options of an action, apart from its time. `Never` if there are none.
  associatedtype SchedulerOptions

  /// The current time of the scheduler.
  var now: SchedulerTimeType { get }

  /// The smallest tolerance that the scheduler supports.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs `action` as soon as possible.
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
  /// Runs `action` as soon as possible, with default options.
  @inlinable
  public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }

  /// Runs `action` at some time after `date`, with the smallest tolerance.
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

  /// Runs `action` at some time after `date`, then every `interval`, with the smallest tolerance, until cancelled.
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

/// A length of time that can be created from common units.
public protocol SchedulerTimeIntervalConvertible {
  /// Creates a length in whole seconds.
  static func seconds(_ seconds: Int) -> Self
  /// Creates a length in seconds.
  static func seconds(_ seconds: Double) -> Self
  /// Creates a length in milliseconds.
  static func milliseconds(_ milliseconds: Int) -> Self
  /// Creates a length in microseconds.
  static func microseconds(_ microseconds: Int) -> Self
  /// Creates a length in nanoseconds.
  static func nanoseconds(_ nanoseconds: Int) -> Self
}
