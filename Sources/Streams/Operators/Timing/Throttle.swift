extension Publisher {
  /// Sends at most one value in each `interval`: the last if `latest`, or else the first.
  ///
  /// The first value goes at once, then one at the end of each interval in which values came. Asks upstream for
  /// everything; values that come while there is no demand are lost. The completion waits for a value that waits.
  /// Values and the completion are delivered on `scheduler`.
  @inlinable
  public func throttle<Context: Scheduler>(
    for interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
  ) -> Publishers.Throttle<Self, Context> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/throttle(for:scheduler:latest:)``.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are thinned out.
    public let upstream: Upstream
    /// How much time is between two that are sent, at least.
    public let interval: Context.SchedulerTimeType.Stride
    /// What measures the time, and where everything is delivered.
    public let scheduler: Context
    /// Whether the last value of an interval is sent, or the first.
    public let latest: Bool

    /// The same as `upstream.throttle(for: interval, scheduler: scheduler, latest: latest)`.
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
      upstream.attach(Throttling(interval, on: scheduler, latest: latest, to: subscriber))
    }
  }
}

extension Publishers.Throttle: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable {}

@usableFromInline
final class Throttling<Context: Scheduler, Downstream: Subscriber>: Subscriber, Subscription {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  private struct State {
    var waiting: Input?
    var lastSent: Context.SchedulerTimeType?
    var completion: Subscribers.Completion<Failure>?
  }

  private let interval: Context.SchedulerTimeType.Stride
  private let scheduler: Context
  private let showsLatest: Bool
  private let upstream = UpstreamLink()
  private let outlet: Outlet<Input, Failure>
  @exclusivity(unchecked)  // taken by the arrival of the subscription
  private var newcomer: Downstream?
  private let state = Guarded(State())

  @usableFromInline
  init(
    _ interval: Context.SchedulerTimeType.Stride, on scheduler: Context, latest: Bool,
    to downstream: Downstream
  ) {
    self.interval = interval
    self.scheduler = scheduler
    showsLatest = latest
    outlet = Outlet(to: downstream)
    newcomer = downstream
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard upstream.attach(subscription) else { return subscription.cancel() }
    newcomer.take()?.receive(subscription: self)
    upstream.request(.unlimited)
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    guard upstream.isLive, outlet.tally.outstanding > .none else { return .none }
    let now = scheduler.now
    let (isFirst, due, old) = state.withLock { state -> (Bool, Context.SchedulerTimeType?, Input?) in
      if state.waiting != nil {
        guard showsLatest else { return (false, nil, nil) }
        defer { state.waiting = input }
        return (false, nil, state.waiting)
      }
      state.waiting = input
      return (true, state.lastSent?.advanced(by: interval), nil)
    }
    withExtendedLifetime(old) {}
    guard isFirst else { return .none }
    if let due, now < due {
      scheduler.schedule(after: due) { self.send() }
    } else {
      scheduler.schedule { self.send() }
    }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard upstream.isLive, upstream.endOnce() else { return }
    let waits = state.withLock { state in
      state.completion = completion
      return state.waiting != nil
    }
    if !waits { scheduler.schedule { self.send() } }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    if demand > .none { _ = outlet.request(demand) }
  }

  @usableFromInline
  func cancel() {
    guard outlet.close() else { return }
    let dropped = state.withLock { state in
      defer { state = State() }
      return state
    }
    withExtendedLifetime(dropped) {}
    upstream.cancel()
  }

  /// Sends what waits, and the completion after it.
  private func send() {
    let now = scheduler.now
    let (value, completion) = state.withLock { state in
      if state.waiting != nil { state.lastSent = now }
      return (state.waiting.take(), state.completion)
    }
    if let value { outlet.offer(value) }
    if let completion { outlet.end(completion) }
  }
}

extension Throttling: ReflectedByName {
  @usableFromInline var description: String { "Throttle" }
}
