extension Publisher {
  /// Delivers values and the completion on the main actor, in order.
  ///
  /// The same as `receive(on: MainActorScheduler.shared)`.
  ///
  /// ```swift
  /// numbers
  ///   .receive(on: MainActor.self)
  ///   .map { number in MainActor.assumeIsolated { album.title(of: number) } }
  /// ```
  @_disfavoredOverload
  @inlinable
  public func receive(on actor: MainActor.Type) -> Publishers.ReceiveOn<Self, MainActorScheduler> {
    receive(on: MainActorScheduler.shared)
  }
}

/// A scheduler that runs actions on the main actor.
///
/// An action always runs later, even if it is scheduled from the main actor. The main actor must be serviced: by an
/// asynchronous `main`, by `dispatchMain()`, or by a running main run loop.
public struct MainActorScheduler: Scheduler, Sendable {
  public typealias SchedulerOptions = Never

  /// The shared scheduler.
  public static let shared = MainActorScheduler()

  init() {}

  /// The current time, in nanoseconds of uptime.
  public var now: SchedulerTimeType { SchedulerTimeType(uptimeNanoseconds: MainQueue.uptime) }

  /// Zero.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Runs `action` on the main actor as soon as it is free.
  public func schedule(options: Never?, _ action: @escaping () -> Void) { MainQueue.run(job(action)) }

  /// Runs `action` on the main actor at `date`, or as soon as it is free if `date` has passed.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) {
    MainQueue.run(at: date.uptimeNanoseconds, job(action))
  }

  /// Runs `action` on the main actor at `date`, and then every `interval`.
  ///
  /// Intervals that pass while the main actor is busy are replaced by one run. An `interval` that is not positive
  /// counts as the shortest one.
  ///
  /// - Returns: A cancellable that stops the repetition when it is cancelled or released. After a cancellation on the
  ///   main actor, `action` does not run again.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    MainQueue.run(
      at: date.uptimeNanoseconds, every: interval.magnitude, leeway: tolerance.magnitude, job(action))
  }

  fileprivate func job(_ action: @escaping () -> Void) -> @Sendable () -> Void {
    // The main actor runs it after it was scheduled, a repeated one run after run. There is no other reference by then.
    let transfer = Transfer(action)
    return { transfer.value() }
  }
}

// What waits for the main actor cannot be taken back, so one job may deliver a burst of values.
extension MainActorScheduler: BatchingScheduler {}

extension MainActorScheduler: RevocableScheduler {
  @usableFromInline
  package func scheduleOnce(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    MainQueue.run(at: date.uptimeNanoseconds, every: nil, leeway: tolerance.magnitude, job(action))
  }
}
