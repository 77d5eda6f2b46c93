extension Publisher {
  /// Delivers values and the completion on `scheduler`, in order.
  ///
  /// The subscription is handed on, and demand and cancellation are passed up, at once and where they are. Delivery
  /// is serial and in order on concurrent schedulers too, and the completion never overtakes a value. Values that
  /// arrive faster than the scheduler delivers them are kept, as many as were asked for. Nothing is delivered
  /// after cancellation.
  @inlinable
  public func receive<Context: Scheduler>(
    on scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, Context> {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/receive(on:options:)``.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values and end are delivered elsewhere.
    public let upstream: Upstream
    /// Where they are delivered.
    public let scheduler: Context
    /// Handed to the scheduler.
    public let options: Context.SchedulerOptions?

    /// The same as `upstream.receive(on: scheduler, options: options)`.
    @inlinable
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.subscribe(Hop("ReceiveOn", on: scheduler, options: options, to: subscriber))
    }
  }
}

extension Publishers.ReceiveOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}
