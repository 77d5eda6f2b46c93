/// A scheduler that runs everything here and now, and passes for one with the time and the options of `Context`.
///
/// Where ``ImmediateScheduler`` does not fit because a dispatch queue is wanted, `DispatchQueue.immediate` does. What
/// is to repeat runs once: time does not pass here.
public struct ImmediateSchedulerOf<Context: Scheduler>: Scheduler {
  public typealias SchedulerTimeType = Context.SchedulerTimeType
  public typealias SchedulerOptions = Context.SchedulerOptions

  /// The point at which time stands.
  public let now: SchedulerTimeType

  /// A scheduler for which it is always `now`.
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
