extension Publisher {
  /// Ends the stream if no value arrives for `interval`, with the failure that `customError` returns, if any.
  ///
  /// ![Marble diagram of timeout](timeout.svg)
  ///
  /// The time starts when the subscription arrives, and again at the first request and at each value. A timeout cancels
  /// the upstream. Values and the completion are always delivered on `scheduler`. Without `customError`, a timeout
  /// finishes the stream. The timer does not retain the subscription.
  @inlinable
  public func timeout<Context: Scheduler>(
    _ interval: Context.SchedulerTimeType.Stride, scheduler: Context,
    options: Context.SchedulerOptions? = nil, customError: (() -> Failure)? = nil
  ) -> Publishers.Timeout<Self, Context> {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/timeout(_:scheduler:options:customError:)``.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that may time out.
    public let upstream: Upstream
    /// The longest time without a value.
    public let interval: Context.SchedulerTimeType.Stride
    /// The scheduler that measures the time and delivers values and the completion.
    public let scheduler: Context
    /// The options passed to the scheduler.
    public let options: Context.SchedulerOptions?
    /// The closure that creates the failure of a timeout. Without it, a timeout finishes the stream.
    public let customError: (() -> Upstream.Failure)?

    /// Creates the publisher that `upstream.timeout(_:scheduler:options:customError:)` returns.
    @inlinable
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?, customError: (() -> Failure)?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.options = options
      self.customError = customError
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let hop = ReceiveOnSubscription("Timeout", on: scheduler, options: options, to: subscriber)
      let customError = self.customError
      let timeoutTimer = TimeoutTimer(interval, on: scheduler, options: options) { [weak hop] upstream in  // law C21
        let hop = hop  // held by upstream only, perhaps, which the cancellation releases
        if upstream.cancelOnce() { hop?.complete(customError.map { .failure($0()) } ?? .finished) }
      }
      upstream.subscribe(TimeoutInlet(timeoutTimer, hop))
    }
  }
}

/// Calls `onTimeout` with its upstream when no value has arrived for too long.
@usableFromInline
final class TimeoutTimer<Context: Scheduler>: Subscription {
  private let interval: Context.SchedulerTimeType.Stride
  private let timer: RestartableTimer<Context>
  private let onTimeout: (UpstreamHandle) -> Void
  private let hasAsked = Guarded(false)
  let upstream = UpstreamHandle()

  @usableFromInline
  init(
    _ interval: Context.SchedulerTimeType.Stride, on scheduler: Context, options: Context.SchedulerOptions?,
    onTimeout: @escaping (UpstreamHandle) -> Void
  ) {
    self.interval = interval
    timer = RestartableTimer(on: scheduler, options: options)
    self.onTimeout = onTimeout
  }

  fileprivate func stir() {
    timer.set(after: interval) { [weak self] in  // law C21: the timer is the watchdog's own
      if let self { onTimeout(upstream) }
    }
    if !upstream.isLive { timer.cancel() }  // law T1: the end came meanwhile
  }

  fileprivate func end() -> Bool {
    guard upstream.isLive, upstream.endOnce() else { return false }
    timer.cancel()
    return true
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    let isFirst = hasAsked.withLock { asked in
      defer { asked = true }
      return !asked
    }
    if isFirst { stir() }
    upstream.request(demand)
  }

  @usableFromInline
  func cancel() {
    upstream.cancel()
    timer.cancel()  // afterwards: a value that arrives meanwhile sets it, and sees whether the upstream is live
  }
}

extension TimeoutTimer: ReflectedByName {
  @usableFromInline var description: String { "Timeout" }
}

/// The inlet that restarts a ``TimeoutTimer``. Only the inlet references both the timer and the downstream, so there
/// is no cycle.
@usableFromInline
final class TimeoutInlet<Context: Scheduler, Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  private let timeoutTimer: TimeoutTimer<Context>
  private let hop: ReceiveOnSubscription<Downstream>

  @usableFromInline
  init(_ timeoutTimer: TimeoutTimer<Context>, _ hop: ReceiveOnSubscription<Downstream>) {
    self.timeoutTimer = timeoutTimer
    self.hop = hop
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard timeoutTimer.upstream.attach(subscription) else { return subscription.cancel() }
    hop.receive(subscription: timeoutTimer)
    if timeoutTimer.upstream.isLive { timeoutTimer.stir() }
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    guard timeoutTimer.upstream.isLive else { return .none }
    timeoutTimer.stir()
    return hop.receive(input)
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if timeoutTimer.end() { hop.receive(completion: completion) }
  }
}

/// A publisher may take its subscriber for a subscription, as with Combine's operators.
extension TimeoutInlet: Subscription {
  @usableFromInline
  func request(_ demand: Subscribers.Demand) { hop.request(demand) }

  @usableFromInline
  func cancel() { hop.cancel() }
}

extension TimeoutInlet: ReflectedByName {
  @usableFromInline var description: String { timeoutTimer.description }
}
