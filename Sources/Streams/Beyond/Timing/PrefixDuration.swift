extension Publisher {
  /// Passes values on for `duration`, from the subscription; then cancels upstream and finishes.
  ///
  /// ```
  /// self    -1-2-3-4-
  /// result  -1-2-|            prefix(duration: 5 columns)
  /// ```
  ///
  /// Values pass on the thread that brings them; the end comes on `scheduler`, late by `tolerance` at most: as little as
  /// the scheduler can if it is `nil`.
  @_disfavoredOverload
  @inlinable
  public func prefix<Context: Scheduler>(
    duration: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride? = nil,
    on scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> AnyPublisher<Output, Failure> {
    Publishers.Span(
      upstream: self, duration: duration, tolerance: tolerance, scheduler: scheduler, options: options,
      drops: false
    ).eraseToAnyPublisher()
  }

  /// Drops what comes in the first `duration`, from the subscription.
  ///
  /// ```
  /// self    -1-2-3-4-|
  /// result  -----3-4-|        drop(duration: 4 columns)
  /// ```
  ///
  /// Others are asked for in place of those that are dropped.
  @_disfavoredOverload
  @inlinable
  public func drop<Context: Scheduler>(
    duration: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride? = nil,
    on scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> AnyPublisher<Output, Failure> {
    Publishers.Span(
      upstream: self, duration: duration, tolerance: tolerance, scheduler: scheduler, options: options,
      drops: true
    ).eraseToAnyPublisher()
  }
}

extension Publishers {
  /// The publisher of ``Publisher/prefix(duration:tolerance:on:options:)`` and of its counterpart.
  @usableFromInline
  struct Span<Upstream: Publisher, Context: Scheduler>: Publisher {
    @usableFromInline typealias Output = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    @usableFromInline let upstream: Upstream
    @usableFromInline let duration: Context.SchedulerTimeType.Stride
    @usableFromInline let tolerance: Context.SchedulerTimeType.Stride?
    @usableFromInline let scheduler: Context
    @usableFromInline let options: Context.SchedulerOptions?
    @usableFromInline let drops: Bool

    @inlinable
    init(
      upstream: Upstream, duration: Context.SchedulerTimeType.Stride,
      tolerance: Context.SchedulerTimeType.Stride?, scheduler: Context, options: Context.SchedulerOptions?,
      drops: Bool
    ) {
      self.upstream = upstream
      self.duration = duration
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
      self.drops = drops
    }

    @inlinable
    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let drops = drops
      Desk.start(drops ? "Drop" : "Prefix", for: subscriber) { desk in
        var isOpen = !drops
        desk.wake(after: duration, tolerance: tolerance, on: scheduler, options: options) { desk in
          if drops { isOpen = true } else { desk.finish(.finished) }
        }
        desk.follow(upstream) { value in
          if isOpen { desk.emit(value) }
        } ended: { completion in
          desk.finish(completion)
        }
      }
    }
  }
}
