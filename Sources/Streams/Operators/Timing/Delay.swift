extension Publisher {
  /// Delivers values and the completion on `scheduler`, `interval` after they came, in order.
  ///
  /// The subscription is handed on, and demand and cancellation are passed up, at once. What is on its way when the
  /// subscription is cancelled is not delivered. `tolerance` says how late it may be; the scheduler's least if `nil`.
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
  /// The publisher of ``Publisher/delay(for:tolerance:scheduler:options:)``.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values and end are delivered later.
    public let upstream: Upstream
    /// How much later.
    public let interval: Context.SchedulerTimeType.Stride
    /// How late they may be beyond that.
    public let tolerance: Context.SchedulerTimeType.Stride
    /// What measures the time, and where they are delivered.
    public let scheduler: Context
    /// Handed to the scheduler.
    public let options: Context.SchedulerOptions?

    /// The same as `upstream.delay(for: interval, tolerance: tolerance, scheduler: scheduler, options: options)`.
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
      upstream.subscribe(
        Hop("Delay", after: interval, tolerance: tolerance, on: scheduler, options: options, to: subscriber))
    }
  }
}

extension Publishers.Delay: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable,
  Context.SchedulerOptions: Sendable
{}
