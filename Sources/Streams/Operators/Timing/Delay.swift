extension Publisher {
  /// Delivers values and the completion on `scheduler`, `interval` after they arrived, in order.
  ///
  /// ![Marble diagram of delay](delay.svg)
  ///
  /// ```swift
  /// let scheduler = VirtualScheduler.virtual
  /// let cancellable = Just("late")
  ///   .delay(for: .seconds(2), scheduler: scheduler)
  ///   .sink { print($0) }
  /// scheduler.advance(by: .seconds(1))
  /// print("early")
  /// scheduler.advance(by: .seconds(1))
  /// // Prints early, late
  /// ```
  ///
  /// The example uses the virtual time of StreamsTesting. A program passes `DispatchQueue.main` or another scheduler.
  ///
  /// The subscription, demand and cancellation are not delayed. A cancellation drops values that are waiting.
  /// They retain the subscription.
  /// `tolerance` is passed to the scheduler. `nil` passes the smallest tolerance of the scheduler.
  @inlinable
  public func delay<Context: Scheduler>(
    for interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride? = nil,
    scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, Context> {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance,
      scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/delay(for:tolerance:scheduler:options:)``.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values and completion are delayed.
    public let upstream: Upstream
    /// The delay.
    public let interval: Context.SchedulerTimeType.Stride
    /// The tolerance passed to the scheduler.
    public let tolerance: Context.SchedulerTimeType.Stride
    /// The scheduler that measures the time and delivers values and the completion.
    public let scheduler: Context
    /// The options passed to the scheduler.
    public let options: Context.SchedulerOptions?

    /// Creates the publisher that `upstream.delay(for:tolerance:scheduler:options:)` returns.
    @inlinable
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride,
      tolerance: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions? = nil
    ) {
      self.upstream = upstream
      self.interval = interval
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(
        ReceiveOnSubscription(
          "Delay", after: interval, tolerance: tolerance, on: scheduler, options: options, to: subscriber))
    }
  }
}

extension Publishers.Delay: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable,
  Context.SchedulerOptions: Sendable
{}
