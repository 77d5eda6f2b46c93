extension Scheduler where Self: Sendable {
  /// Hides the type of the scheduler, and keeps the types of its time and options.
  @_disfavoredOverload
  public func eraseToAnyScheduler() -> AnyScheduler<SchedulerTimeType, SchedulerOptions> {
    AnyScheduler(self)
  }
}

/// A type-erased scheduler with the time and the options of `Context`.
public typealias AnySchedulerOf<Context: Scheduler> =
  AnyScheduler<Context.SchedulerTimeType, Context.SchedulerOptions>

/// A type-erased scheduler.
///
/// Declare one where a type receives its scheduler from outside, so that tests can pass an immediate or a virtual one:
///
/// ```swift
/// final class Search {
///   let scheduler: AnySchedulerOf<DispatchQueue>
///   init(scheduler: AnySchedulerOf<DispatchQueue> = .main) { self.scheduler = scheduler }
/// }
/// ```
public struct AnyScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler, Sendable
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  private let scheduler: any Erased<SchedulerTimeType, SchedulerOptions>
  @usableFromInline package let isBatching: Bool

  /// Wraps `scheduler`.
  public init<Context: Scheduler & Sendable>(_ scheduler: Context)
  where Context.SchedulerTimeType == SchedulerTimeType, Context.SchedulerOptions == SchedulerOptions {
    self.scheduler = Erasure(scheduler: scheduler)
    isBatching = (scheduler as? any BatchingScheduler)?.isBatching ?? false
  }

  public var now: SchedulerTimeType { scheduler.now }
  public var minimumTolerance: SchedulerTimeType.Stride { scheduler.minimumTolerance }

  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    scheduler.schedule(options: options, action)
  }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    scheduler.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    scheduler.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}

// A wrapper of a scheduler that delivers bursts delivers them as well.
extension AnyScheduler: BatchingScheduler {}

extension AnyScheduler: SchedulerWrapper {
  package var wrapped: (any RevocableScheduler<SchedulerTimeType>)? { scheduler.wrapped }
}

extension AnySchedulerOf<ImmediateScheduler> {
  /// A scheduler that runs every action immediately.
  public static var shared: Self { ImmediateScheduler.shared.eraseToAnyScheduler() }
}

/// A scheduler that can be spoken of without its type.
private protocol Erased<SchedulerTimeType, SchedulerOptions>: SchedulerWrapper, Sendable {}

private struct Erasure<Context: Scheduler & Sendable>: Erased {
  let scheduler: Context

  var wrapped: (any RevocableScheduler<Context.SchedulerTimeType>)? { scheduler.revocable(options: nil) }
  var now: Context.SchedulerTimeType { scheduler.now }
  var minimumTolerance: Context.SchedulerTimeType.Stride { scheduler.minimumTolerance }

  func schedule(options: Context.SchedulerOptions?, _ action: @escaping () -> Void) {
    scheduler.schedule(options: options, action)
  }

  func schedule(
    after date: Context.SchedulerTimeType, tolerance: Context.SchedulerTimeType.Stride,
    options: Context.SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    scheduler.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  func schedule(
    after date: Context.SchedulerTimeType, interval: Context.SchedulerTimeType.Stride,
    tolerance: Context.SchedulerTimeType.Stride, options: Context.SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    scheduler.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}
