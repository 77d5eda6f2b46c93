extension Publishers {
  /// When ``Publisher/collect(_:options:)`` sends what it has collected.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// At the end of each interval.
    case byTime(Context, Context.SchedulerTimeType.Stride)
    /// At the end of each interval, and when there are so many values.
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
  }
}

extension Publishers.TimeGroupingStrategy: Sendable
where Context: Sendable, Context.SchedulerTimeType.Stride: Sendable {}

extension Publisher {
  /// Collects values, and sends them as an array from time to time.
  ///
  /// An interval begins when the subscription arrives, and after each array by count. An interval without values
  /// sends nothing. What is left is sent when upstream finishes, and thrown away when it fails. Everything is
  /// delivered on the scheduler. Traps if a count is less than one.
  @inlinable
  public func collect<Context: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<Context>, options: Context.SchedulerOptions? = nil
  ) -> Publishers.CollectByTime<Self, Context> {
    Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/collect(_:options:)``.
  public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let strategy: TimeGroupingStrategy<Context>
    public let options: Context.SchedulerOptions?

    @inlinable
    public init(
      upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?
    ) {
      if case .byTimeOrCount(_, _, let count) = strategy, count < 1 { Violation.emptyGroup(count) }
      self.upstream = upstream
      self.strategy = strategy
      self.options = options
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.subscribe(TimeGrouping<Upstream.Output, _, _>(strategy, options: options, to: subscriber))
    }
  }
}

extension Publishers.CollectByTime: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable,
  Context.SchedulerOptions: Sendable
{}

@usableFromInline
final class TimeGrouping<Input, Context: Scheduler, Downstream: Subscriber>: Subscriber, Subscription
where Downstream.Input == [Input] {
  @usableFromInline typealias Failure = Downstream.Failure

  private let scheduler: Context
  private let interval: Context.SchedulerTimeType.Stride
  private let count: Int?
  private let options: Context.SchedulerOptions?
  private let alarm: Alarm<Context>
  private let upstream = UpstreamLink()
  private let outlet: Outlet<[Input], Failure>
  @exclusivity(unchecked)  // taken by the arrival of the subscription
  private var newcomer: Downstream?
  private let collected = Guarded([Input]())

  @usableFromInline
  init(
    _ strategy: Publishers.TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?,
    to downstream: Downstream
  ) {
    switch strategy {
    case .byTime(let scheduler, let interval):
      (self.scheduler, self.interval, count) = (scheduler, interval, nil)
    case .byTimeOrCount(let scheduler, let interval, let count):
      (self.scheduler, self.interval, self.count) = (scheduler, interval, count)
    }
    self.options = options
    alarm = Alarm(on: scheduler, options: options)
    outlet = Outlet(to: downstream)
    newcomer = downstream
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard upstream.attach(subscription) else { return subscription.cancel() }
    setAlarm()
    if let count {
      outlet.onAnswer = { [weak self] more in self?.upstream.request(more * count) }
    }
    newcomer.take()?.receive(subscription: self)
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    guard upstream.isLive else { return .none }
    let full = collected.withLock { collected -> [Input]? in
      collected.append(input)
      guard let count, collected.count >= count else { return nil }
      defer { collected = [] }
      return collected
    }
    if let full {
      setAlarm()
      scheduler.schedule(options: options) { self.send(full) }
    }
    return count == nil ? .max(1) : .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard upstream.isLive, upstream.endOnce() else { return }
    alarm.callOff()
    let rest = take()
    scheduler.schedule(options: options) {
      if case .finished = completion, !rest.isEmpty { self.outlet.offer(rest) }
      self.outlet.end(completion)
    }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let isFirst = outlet.tally.outstanding == .none
    guard outlet.request(demand) else { return }
    if let count { upstream.request(demand * count) } else if isFirst { upstream.request(.max(1)) }
  }

  @usableFromInline
  func cancel() {
    guard outlet.close() else { return }
    alarm.callOff()
    withExtendedLifetime(take()) {}
    upstream.cancel()
  }

  private func setAlarm() {
    // The scheduler repeats it: one that runs everything at once would have no end of an alarm that sets the next.
    alarm.set(after: interval, repeats: true) { [weak self] in  // law C21: the alarm is the stage's own
      guard let self, outlet.tally.outstanding > .none else { return }
      let values = take()
      if !values.isEmpty { outlet.offer(values) }
    }
  }

  private func send(_ values: [Input]) { outlet.offer(values) }

  private func take() -> [Input] {
    collected.withLock { collected in
      defer { collected = [] }
      return collected
    }
  }
}

extension TimeGrouping: CustomStringConvertible {
  @usableFromInline var description: String { "CollectByTime" }
}
