extension Publisher {
  /// Subscribes, requests and cancels on `scheduler`.
  ///
  /// Values come where upstream sends them: this moves the work that a subscription or a request sets off, not the
  /// delivery; see ``receive(on:options:)`` for that. The subscriber gets its subscription on the scheduler, too.
  @inlinable
  public func subscribe<Context: Scheduler>(
    on scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, Context> {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/subscribe(on:options:)``.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is subscribed to, asked and cancelled elsewhere.
    public let upstream: Upstream
    /// Where that is done.
    public let scheduler: Context
    /// Handed to the scheduler.
    public let options: Context.SchedulerOptions?

    /// The same as `upstream.subscribe(on: scheduler, options: options)`.
    @inlinable
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let departure = Departure(on: scheduler, options: options, to: subscriber)
      scheduler.schedule(options: options) { upstream.subscribe(departure) }
    }
  }
}

extension Publishers.SubscribeOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}
