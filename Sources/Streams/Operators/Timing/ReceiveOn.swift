extension Publisher {
  /// Delivers values and the completion on `scheduler`, in order.
  ///
  /// ```swift
  /// let scheduler = VirtualScheduler.virtual
  /// let cancellable = [1, 2].publisher
  ///   .receive(on: scheduler)
  ///   .sink { print($0) }
  /// print("subscribed")
  /// scheduler.advance()
  /// // Prints subscribed, 1, 2
  /// ```
  ///
  /// The example uses a virtual scheduler of StreamsTesting. A program passes `DispatchQueue.main` or another
  /// scheduler.
  ///
  /// The subscription, demand and cancellation pass immediately, on the current thread. Delivery is serial and in
  /// order, on concurrent schedulers too, and the completion is always last. Values that arrive faster than they are
  /// delivered are kept, and retain the subscription. A cancellation drops them.
  @inlinable
  public func receive<Context: Scheduler>(
    on scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, Context> {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/receive(on:options:)``.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values and completion are delivered on another scheduler.
    public let upstream: Upstream
    /// The scheduler that delivers them.
    public let scheduler: Context
    /// The options passed to the scheduler.
    public let options: Context.SchedulerOptions?

    /// Creates the publisher that `upstream.receive(on: scheduler, options: options)` returns.
    @inlinable
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(ReceiveOnSubscription("ReceiveOn", on: scheduler, options: options, to: subscriber))
    }
  }
}

extension Publishers.ReceiveOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}
