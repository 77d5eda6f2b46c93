public import Streams

/// An unimplemented scheduler with the time and options of `Context`.
public typealias UnimplementedSchedulerOf<Context: Scheduler> =
  UnimplementedScheduler<Context.SchedulerTimeType, Context.SchedulerOptions>

/// A scheduler for code that must not schedule. Using it is a fault.
///
/// Pass it to code that a test expects not to schedule. If it is used, it stops the program with its name. With `onUse`, it
/// reports the use there and continues. It never runs the action.
public final class UnimplementedScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// A use of an unimplemented scheduler.
  public enum Use: String, Sendable {
    /// Members of this name.
    case now, minimumTolerance, schedule
    /// Scheduling an action for later.
    case scheduleAfter = "schedule(after:)"
    /// Scheduling a repeating action.
    case scheduleInterval = "schedule(after:interval:)"
  }

  /// The name that the scheduler reports.
  public let prefix: String

  private let date: SchedulerTimeType
  private let onUse: (@Sendable (Use) -> Void)?
  private let content = Guarded<[Use]>([])

  /// A scheduler whose use stops the program.
  ///
  /// - Parameters:
  ///   - prefix: The name in the message.
  ///   - now: Its constant time.
  ///   - onUse: Called instead of stopping, for example to fail a test.
  public init(
    _ prefix: String = "", now: SchedulerTimeType, onUse: (@Sendable (Use) -> Void)? = nil
  ) {
    self.prefix = prefix
    date = now
    self.onUse = onUse
  }

  /// Its uses, in order.
  public var uses: [Use] { content.withLock { $0 } }

  private func note(_ use: Use) {
    content.withLock { $0.append(use) }
    guard let onUse else { Violation.unimplementedScheduler(prefix, use.rawValue) }
    onUse(use)
  }

  // MARK: Scheduler

  public var now: SchedulerTimeType {
    note(.now)
    return date
  }

  /// Zero.
  public var minimumTolerance: SchedulerTimeType.Stride {
    note(.minimumTolerance)
    return .zero
  }

  public func schedule(options _: SchedulerOptions?, _: @escaping () -> Void) { note(.schedule) }

  public func schedule(
    after _: SchedulerTimeType, tolerance _: SchedulerTimeType.Stride, options _: SchedulerOptions?,
    _: @escaping () -> Void
  ) {
    note(.scheduleAfter)
  }

  public func schedule(
    after _: SchedulerTimeType, interval _: SchedulerTimeType.Stride, tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?, _: @escaping () -> Void
  ) -> any Cancellable {
    note(.scheduleInterval)
    return AnyCancellable {}
  }
}

extension UnimplementedScheduler: Sendable where SchedulerTimeType: Sendable {}
