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

/// A scheduler with the time of `Context`, in `any SchedulerOf<DispatchQueue>`.
public typealias SchedulerOf<Context: Scheduler> = Scheduler<Context.SchedulerTimeType>

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
    self.init(usableFromAnyThread: scheduler)
  }

  /// Wraps a scheduler on which any thread may schedule, also if its type does not say so: most functions of a run loop belong
  /// to one thread, and those do not.
  package init<Context: Scheduler>(usableFromAnyThread scheduler: Context)
  where Context.SchedulerTimeType == SchedulerTimeType, Context.SchedulerOptions == SchedulerOptions {
    self.scheduler = Erasure(scheduler: scheduler)
    isBatching = (scheduler as? any BatchingScheduler)?.isBatching ?? false
  }

  /// Creates a scheduler of closures.
  ///
  /// - Parameters:
  ///   - minimumTolerance: Returns the smallest tolerance.
  ///   - now: Returns the current time.
  ///   - scheduleImmediately: Runs an action as soon as possible.
  ///   - delayed: Runs an action at a time, with a tolerance.
  ///   - interval: Runs an action at a time and then at an interval, with a tolerance.
  public init(
    minimumTolerance: @escaping @Sendable () -> SchedulerTimeType.Stride,
    now: @escaping @Sendable () -> SchedulerTimeType,
    scheduleImmediately: @escaping @Sendable (SchedulerOptions?, @escaping () -> Void) -> Void,
    delayed:
      @escaping @Sendable (
        SchedulerTimeType, SchedulerTimeType.Stride, SchedulerOptions?, @escaping () -> Void
      ) -> Void,
    interval:
      @escaping @Sendable (
        SchedulerTimeType, SchedulerTimeType.Stride, SchedulerTimeType.Stride, SchedulerOptions?,
        @escaping () -> Void
      ) -> any Cancellable
  ) {
    self.init(
      ClosureScheduler(
        tolerance: minimumTolerance, time: now, immediately: scheduleImmediately, delayed: delayed,
        repeating: interval))
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

// Sendable: what is wrapped may be used from any thread.
private struct Erasure<Context: Scheduler>: Erased, @unchecked Sendable {
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

private struct ClosureScheduler<Time: Strideable, Options>: Scheduler, Sendable
where Time.Stride: SchedulerTimeIntervalConvertible {
  typealias SchedulerOptions = Options

  let tolerance: @Sendable () -> Time.Stride
  let time: @Sendable () -> Time
  let immediately: @Sendable (Options?, @escaping () -> Void) -> Void
  let delayed: @Sendable (Time, Time.Stride, Options?, @escaping () -> Void) -> Void
  let repeating: @Sendable (Time, Time.Stride, Time.Stride, Options?, @escaping () -> Void) -> any Cancellable

  var now: Time { time() }
  var minimumTolerance: Time.Stride { tolerance() }

  func schedule(options: Options?, _ action: @escaping () -> Void) { immediately(options, action) }

  func schedule(
    after date: Time, tolerance: Time.Stride, options: Options?, _ action: @escaping () -> Void
  ) {
    delayed(date, tolerance, options, action)
  }

  func schedule(
    after date: Time, interval: Time.Stride, tolerance: Time.Stride, options: Options?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    repeating(date, interval, tolerance, options, action)
  }
}
