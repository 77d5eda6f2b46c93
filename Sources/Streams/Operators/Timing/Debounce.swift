extension Publisher {
  /// Sends a value once no other has come for `dueTime`.
  ///
  /// Asks upstream for everything. A value that is due without demand is lost; so is one that waits when the stream
  /// ends. Values and the completion are delivered on `scheduler`.
  @inlinable
  public func debounce<Context: Scheduler>(
    for dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
    options: Context.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, Context> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/debounce(for:scheduler:options:)``.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values wait.
    public let upstream: Upstream
    /// How long no other value may come.
    public let dueTime: Context.SchedulerTimeType.Stride
    /// What measures the time, and where everything is delivered.
    public let scheduler: Context
    /// Handed to the scheduler.
    public let options: Context.SchedulerOptions?

    /// The same as `upstream.debounce(for: dueTime, scheduler: scheduler, options: options)`.
    @inlinable
    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(Debouncing(dueTime, on: scheduler, options: options, to: subscriber))
    }
  }
}

extension Publishers.Debounce: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable,
  Context.SchedulerOptions: Sendable
{}

@usableFromInline
final class Debouncing<Context: Scheduler, Downstream: Subscriber>: Subscriber, Subscription {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  private let dueTime: Context.SchedulerTimeType.Stride
  private let scheduler: Context
  private let options: Context.SchedulerOptions?
  private let alarm: Alarm<Context>
  private let upstream = UpstreamLink()
  private let outlet: Outlet<Input, Failure>
  @exclusivity(unchecked)  // taken by the arrival of the subscription
  private var newcomer: Downstream?

  @usableFromInline
  init(
    _ dueTime: Context.SchedulerTimeType.Stride, on scheduler: Context, options: Context.SchedulerOptions?,
    to downstream: Downstream
  ) {
    self.dueTime = dueTime
    self.scheduler = scheduler
    self.options = options
    alarm = Alarm(on: scheduler, options: options)
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
    guard upstream.isLive else { return .none }
    // The value belongs to its alarm: one that arrives while this alarm rings neither replaces it nor is sent early.
    alarm.set(after: dueTime) { [weak outlet] in outlet?.offer(input) }  // law C21: the outlet is the stage's own
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard upstream.isLive, upstream.endOnce() else { return }
    alarm.callOff()
    scheduler.schedule { self.outlet.end(completion) }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    if demand > .none { _ = outlet.request(demand) }
  }

  @usableFromInline
  func cancel() {
    guard outlet.close() else { return }
    alarm.callOff()
    upstream.cancel()
  }
}

extension Debouncing: ReflectedByName {
  @usableFromInline var description: String { "Debounce" }
}
