extension Publisher {
  /// Subscribes, requests values and cancels on `scheduler`.
  ///
  /// Values are delivered where the upstream sends them. This operator moves the work that a subscription or a request
  /// starts, not the delivery. Use ``receive(on:options:)`` to move the delivery. The subscriber receives its
  /// subscription on the scheduler, too, which retains it until then.
  @inlinable
  public func subscribe<Context: Scheduler>(
    on scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, Context> {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/subscribe(on:options:)``.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is subscribed to on another scheduler.
    public let upstream: Upstream
    /// The scheduler of subscription, requests and cancellation.
    public let scheduler: Context
    /// The options passed to the scheduler.
    public let options: Context.SchedulerOptions?

    /// Creates the publisher that `upstream.subscribe(on: scheduler, options: options)` returns.
    @inlinable
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let departure = SubscribeOnSubscription(on: scheduler, options: options, to: subscriber)
      scheduler.schedule(options: options) { upstream.subscribe(departure) }
    }
  }
}

extension Publishers.SubscribeOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}
