public import Streams

/// An unimplemented scheduler that passes for one with the time and the options of `Context`.
public typealias UnimplementedSchedulerOf<Context: Scheduler> =
  UnimplementedScheduler<Context.SchedulerTimeType, Context.SchedulerOptions>

/// A scheduler for code that must not schedule: using it is a fault.
///
/// Hand it to what a test does not expect to take its time. Used after all, it stops the program with its name, or, if
/// it was given `onUse`, reports there and goes on; what should be scheduled is not run either way.
public final class UnimplementedScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// What an unimplemented scheduler was used for.
  public enum Use: String, Sendable {
    /// Members of that name.
    case now, minimumTolerance, schedule
    /// What schedules one action for later.
    case scheduleAfter = "schedule(after:)"
    /// What schedules an action again and again.
    case scheduleInterval = "schedule(after:interval:)"
  }

  /// What the scheduler calls itself when it is used.
  public let prefix: String

  private let date: SchedulerTimeType
  private let onUse: (@Sendable (Use) -> Void)?
  private let content = Guarded<[Use]>([])

  /// A scheduler whose use stops the program.
  ///
  /// - Parameters:
  ///   - prefix: What it calls itself then.
  ///   - now: The point at which its time stands.
  ///   - onUse: Called instead, if there is one: the place to fail a test, and go on.
  public init(
    _ prefix: String = "", now: SchedulerTimeType, onUse: (@Sendable (Use) -> Void)? = nil
  ) {
    self.prefix = prefix
    date = now
    self.onUse = onUse
  }

  /// What it was used for, in order.
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
