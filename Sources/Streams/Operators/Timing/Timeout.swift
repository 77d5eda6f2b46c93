extension Publisher {
  /// Ends the stream if no value comes for `interval`.
  ///
  /// The clock starts when the subscription arrives, and again at the first request and at each value. When it runs
  /// out, upstream is cancelled. Values and the completion are delivered on `scheduler`, whether or not the time
  /// runs out.
  ///
  /// - Parameter customError: Makes the failure; without it the stream finishes.
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

    public let upstream: Upstream
    public let interval: Context.SchedulerTimeType.Stride
    public let scheduler: Context
    public let options: Context.SchedulerOptions?
    public let customError: (() -> Upstream.Failure)?

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

    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let hop = Hop("Timeout", on: scheduler, options: options, to: subscriber)
      upstream.subscribe(
        Watchdog(interval, on: scheduler, options: options, to: hop) {
          customError.map { .failure($0()) } ?? .finished
        })
    }
  }
}

/// Ends the stream when its upstream is silent for too long.
@usableFromInline
final class Watchdog<Context: Scheduler, Downstream: Subscriber>: Subscriber, Subscription {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  private let interval: Context.SchedulerTimeType.Stride
  private let alarm: Alarm<Context>
  private let upstream = UpstreamLink()
  private let hop: Hop<Downstream>
  private let ending: () -> Subscribers.Completion<Failure>
  private let hasAsked = Guarded(false)

  @usableFromInline
  init(
    _ interval: Context.SchedulerTimeType.Stride, on scheduler: Context, options: Context.SchedulerOptions?,
    to hop: Hop<Downstream>, ending: @escaping () -> Subscribers.Completion<Failure>
  ) {
    self.interval = interval
    alarm = Alarm(on: scheduler, options: options)
    self.hop = hop
    self.ending = ending
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard upstream.attach(subscription) else { return subscription.cancel() }
    setAlarm()
    hop.receive(subscription: self)
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    guard upstream.isLive else { return .none }
    setAlarm()
    return hop.receive(input)
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard upstream.isLive, upstream.endOnce() else { return }
    alarm.callOff()
    hop.receive(completion: completion)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    guard upstream.isLive else { return }
    let isFirst = hasAsked.withLock { asked in
      defer { asked = true }
      return !asked
    }
    if isFirst { setAlarm() }
    upstream.request(demand)
  }

  @usableFromInline
  func cancel() {
    alarm.callOff()
    upstream.cancel()
  }

  private func setAlarm() {
    alarm.set(after: interval) {
      guard self.upstream.cancelOnce() else { return }
      self.hop.receive(completion: self.ending())
    }
  }
}

extension Watchdog: CustomStringConvertible {
  @usableFromInline var description: String { "Timeout" }
}
