/// A scheduler of the main actor that runs an action here and now if it is there already.
///
/// Unlike ``MainActorScheduler``, which never does. What must be seen in the same turn of the main loop is scheduled on
/// this.
public struct UIScheduler: Scheduler, Sendable {
  public typealias SchedulerOptions = Never
  public typealias SchedulerTimeType = MainActorScheduler.SchedulerTimeType

  /// The one instance.
  public static let shared = UIScheduler()

  init() {}

  /// The present.
  public var now: SchedulerTimeType { MainActorScheduler.shared.now }

  /// Zero: it can be held to any tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Runs `action` at once on the main actor, or as soon as that is free.
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
