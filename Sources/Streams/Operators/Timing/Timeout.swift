extension Publisher {
  /// Ends the stream if no value comes for `interval`: with the failure that `customError` makes, or else without.
  ///
  /// The clock starts when the subscription arrives, and again at the first request and at each value. When it runs
  /// out, upstream is cancelled. Values and the completion are delivered on `scheduler`, whether or not the time
  /// runs out.
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
  /// The publisher of ``Publisher/timeout(_:scheduler:options:customError:)``.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that may take too long.
    public let upstream: Upstream
    /// How long a value may take.
    public let interval: Context.SchedulerTimeType.Stride
    /// What measures the time, and where everything is delivered.
    public let scheduler: Context
    /// Handed to the scheduler.
    public let options: Context.SchedulerOptions?
    /// Makes the failure when the time is over; without it the stream finishes then.
    public let customError: (() -> Upstream.Failure)?

    /// The same as `upstream.timeout(interval, scheduler: scheduler, options: options, customError: customError)`.
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
      let hop = Hop("Timeout", on: scheduler, options: options, to: subscriber)
      let customError = self.customError
      let watchdog = Watchdog(interval, on: scheduler, options: options) { [weak hop] in  // law C21: hop holds it
        hop?.complete(customError.map { .failure($0()) } ?? .finished)
      }
      upstream.subscribe(WatchdogInlet(watchdog, hop))
    }
  }
}

/// Cancels its upstream, and tells, when nothing has stirred for too long.
@usableFromInline
final class Watchdog<Context: Scheduler>: Subscription {
  private let interval: Context.SchedulerTimeType.Stride
  private let alarm: Alarm<Context>
  private let bark: () -> Void
  private let hasAsked = Guarded(false)
  fileprivate let upstream = UpstreamLink()

  @usableFromInline
  init(
    _ interval: Context.SchedulerTimeType.Stride, on scheduler: Context, options: Context.SchedulerOptions?,
    bark: @escaping () -> Void
  ) {
    self.interval = interval
    alarm = Alarm(on: scheduler, options: options)
    self.bark = bark
  }

  fileprivate func stir() {
    alarm.set(after: interval) { [weak self] in  // law C21: the alarm is the watchdog's own
      if let self, upstream.cancelOnce() { bark() }
    }
    if !upstream.isLive { alarm.callOff() }  // law T1: the end came meanwhile
  }

  fileprivate func end() -> Bool {
    guard upstream.isLive, upstream.endOnce() else { return false }
    alarm.callOff()
    return true
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    guard upstream.isLive else { return }
    let isFirst = hasAsked.withLock { asked in
      defer { asked = true }
      return !asked
    }
    if isFirst { stir() }
    upstream.request(demand)
  }

  @usableFromInline
  func cancel() {
    alarm.callOff()
    upstream.cancel()
  }
}

extension Watchdog: ReflectedByName {
  @usableFromInline var description: String { "Timeout" }
}

/// The way in past a ``Watchdog``. It alone knows both that and the way on, so that there is no cycle.
@usableFromInline
final class WatchdogInlet<Context: Scheduler, Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  private let watchdog: Watchdog<Context>
  private let hop: Hop<Downstream>

  @usableFromInline
  init(_ watchdog: Watchdog<Context>, _ hop: Hop<Downstream>) {
    self.watchdog = watchdog
    self.hop = hop
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard watchdog.upstream.attach(subscription) else { return subscription.cancel() }
    hop.receive(subscription: watchdog)
    if watchdog.upstream.isLive { watchdog.stir() }
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    guard watchdog.upstream.isLive else { return .none }
    watchdog.stir()
    return hop.receive(input)
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if watchdog.end() { hop.receive(completion: completion) }
  }
}

extension WatchdogInlet: ReflectedByName {
  @usableFromInline var description: String { watchdog.description }
}
