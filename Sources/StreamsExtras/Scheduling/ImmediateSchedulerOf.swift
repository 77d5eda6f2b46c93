/// A scheduler that runs every action immediately, with the time and the options of another scheduler.
///
/// Use it where `ImmediateScheduler` does not fit because another type is required. For example,
/// `DispatchQueue.immediate` replaces a dispatch queue. Repeated actions run once, because time does not pass.
public struct ImmediateSchedulerOf<Context: Scheduler>: Scheduler {
  public typealias SchedulerTimeType = Context.SchedulerTimeType
  public typealias SchedulerOptions = Context.SchedulerOptions

  /// The time, which does not pass.
  public let now: SchedulerTimeType

  /// Creates a scheduler whose time is always `now`.
  public init(now: SchedulerTimeType) { self.now = now }

  /// Zero.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  public func schedule(options _: SchedulerOptions?, _ action: @escaping () -> Void) { action() }

  public func schedule(
    after _: SchedulerTimeType, tolerance _: SchedulerTimeType.Stride, options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    action()
  }

  /// Runs `action` once.
  @discardableResult
  public func schedule(
    after _: SchedulerTimeType, interval _: SchedulerTimeType.Stride, tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return EmptySubscription.shared
  }
}

extension ImmediateSchedulerOf: Sendable where SchedulerTimeType: Sendable {}
