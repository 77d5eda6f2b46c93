/// A scheduler of the main actor that runs an action synchronously if it is scheduled from the main actor.
///
/// ``MainActorScheduler`` always runs actions later. Use this scheduler for changes that must be visible in the same
/// turn of the main loop.
public struct UIScheduler: Scheduler, Sendable {
  public typealias SchedulerOptions = Never
  public typealias SchedulerTimeType = MainActorScheduler.SchedulerTimeType

  /// The shared scheduler.
  public static let shared = UIScheduler()

  init() {}

  /// The current time.
  public var now: SchedulerTimeType { MainActorScheduler.shared.now }

  /// Zero.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Runs `action` immediately on the main actor, or as soon as it is free.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    if MainQueue.isCurrent { action() } else { MainActorScheduler.shared.schedule(options: nil, action) }
  }

  /// Runs `action` on the main actor at `date`.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) {
    MainActorScheduler.shared.schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Runs `action` on the main actor at `date`, and then every `interval`.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    MainActorScheduler.shared.schedule(
      after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }
}

extension UIScheduler: SchedulerWrapper {
  package var wrapped: (any RevocableScheduler<SchedulerTimeType>)? { MainActorScheduler.shared }
}

extension UIScheduler {
  /// Runs everything immediately, in place of this scheduler.
  public static var immediate: ImmediateSchedulerOf<UIScheduler> {
    ImmediateSchedulerOf(now: SchedulerTimeType(uptimeNanoseconds: 0))
  }
}

extension AnySchedulerOf<UIScheduler> {
  /// Runs everything immediately.
  public static var immediate: Self { UIScheduler.immediate.eraseToAnyScheduler() }
}
