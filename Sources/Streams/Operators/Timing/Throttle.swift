extension Publisher {
  /// Sends at most one value in each `interval`: the latest one or the first one.
  ///
  /// ![Marble diagram of throttle](throttle.svg)
  ///
  /// The first value is sent immediately. Each value that is sent begins an interval. Of those that arrive within it, one is
  /// sent at its end. A value that arrives later is sent immediately. Everything is requested from this publisher, and
  /// values without demand are dropped. The completion waits for a waiting value.
  /// Values and the completion are delivered on `scheduler`. A waiting one retains the subscription.
  @inlinable
  public func throttle<Context: Scheduler>(
    for interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
  ) -> Publishers.Throttle<Self, Context> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/throttle(for:scheduler:latest:)``.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are throttled.
    public let upstream: Upstream
    /// The shortest time between two values that are sent.
    public let interval: Context.SchedulerTimeType.Stride
    /// The scheduler that measures the time and delivers values and the completion.
    public let scheduler: Context
    /// Whether to send the latest value of an interval, or the first.
    public let latest: Bool

    /// Creates the publisher that `upstream.throttle(for: interval, scheduler: scheduler, latest: latest)` returns.
    @inlinable
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Throttle", on: scheduler, options: nil, for: subscriber) { [self] core, hop in
        core.throttle(upstream, for: interval, on: scheduler, latest: latest, hop)
      }
    }
  }
}

extension Publishers.Throttle: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable {}

extension OperatorCore {
  @inlinable
  func throttle<Upstream: Publisher<Output, Failure>, Context: Scheduler, Final>(
    _ upstream: Upstream, for interval: Context.SchedulerTimeType.Stride, on scheduler: Context, latest: Bool,
    _ hop: ReceiveOnSubscription<Final>
  ) where Downstream == ScheduledOutlet<Final> {
    let waiting = Box(Output?.none)
    let lastSent = Box(Context.SchedulerTimeType?.none)
    let ending = Box(Subscribers.Completion<Failure>?.none)
    func send() {
      if let value = waiting.value.take() {
        if ending.value == nil { lastSent.value = scheduler.now }
        offer(value)
      }
      if let ending = ending.value { finish(ending) }
    }
    // Combine reads the time at these places, whether it matters or not: schedulers of tests may count that.
    _ = (scheduler.now, scheduler.now)
    subscribe(to: upstream, for: hop, UpstreamHandle(requesting: .unlimited)) { value in
      let present = scheduler.now
      if self.demand == .none { return self.drop(value, because: .noDemand) }
      if let first = waiting.value {
        self.drop(latest ? first : value, because: .superseded)
        if latest { waiting.value = value }
        return
      }
      waiting.value = value
      let job = { self.performInJob(hop) { send() } }
      if let due = lastSent.value?.advanced(by: interval), present < due {
        scheduler.schedule(after: due, job)
      } else {
        scheduler.schedule(job)
      }
    } onCompletion: { completion in
      _ = scheduler.now
      ending.value = completion
      if waiting.value == nil { scheduler.schedule { self.performInJob(hop) { send() } } }
    }
  }
}
