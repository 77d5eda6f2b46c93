import Synchronization

/// What `collect(.byTime)` and `collect(.byTimeOrCount)` do: a group is sent when it is due and was asked for.
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
  private let state = Guarded(TimeGroups<Input, Failure>())

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

  // MARK: Subscriber

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard upstream.attach(subscription) else { return subscription.cancel() }
    setAlarm()
    outlet.onAnswer = { [weak self] in self?.ask(for: $0) }
    newcomer.take()?.receive(subscription: self)
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    guard upstream.isLive else { return .none }
    let isFull = state.withLock { state in
      // Who cancels says that it is over, and then takes what there is.
      if outlet.isOver.load(ordering: .acquiring) { return false }
      state.add(input, most: count)
      return state.packFull()
    }
    if isFull { restart() }
    return count == nil ? .max(1) : .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard upstream.isLive, upstream.endOnce() else { return }
    alarm.callOff()
    let dropped = state.withLock { state -> Fifo<[Input]> in
      state.ending = completion
      if completion.isFailure { return state.clear() }
      state.packRest()
      return Fifo()
    }
    withExtendedLifetime(dropped) {}
    scheduleSending()
  }

  // MARK: Subscription

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    if demand > .none, outlet.request(demand) { ask(for: demand) }
  }

  @usableFromInline
  func cancel() {
    guard outlet.close() else { return }
    alarm.callOff()
    let dropped = state.withLock { state in
      defer { state.outbox = Fifo() }
      return (state.clear(), state.outbox)
    }
    withExtendedLifetime(dropped) {}
    upstream.cancel()
  }

  private func ask(for demand: Subscribers.Demand) {
    let (isFirst, isFull, isEnding) = state.withLock { state in
      state.demand += demand
      defer { state.hasAsked = true }
      guard state.ending != nil else { return (!state.hasAsked, state.packFull(), false) }
      state.packRest()
      return (false, false, true)
    }
    if isFull { restart() }
    if isEnding { scheduleSending() }
    // Each value asks for the next.
    if let count { upstream.request(demand * count) } else if isFirst { upstream.request(.max(1)) }
  }

  // MARK: Groups

  private func restart() {
    setAlarm()
    scheduleSending()
  }

  private func setAlarm() {
    // The scheduler repeats it: one that runs everything at once would have no end of an alarm that sets the next.
    alarm.set(after: interval, repeats: true) { [weak self] in  // law C21: the alarm is the stage's own
      guard let self else { return }
      state.withLock { $0.packRest() }
      send()
    }
  }

  private func scheduleSending() { scheduler.schedule(options: options) { self.send() } }

  /// Sends what is in the outbox, and the end after it, unless that is done further out or on another thread.
  private func send() {
    let isOnlyOne = state.withLock { state in
      defer { state.isSending = true }
      return !state.isSending
    }
    guard isOnlyOne else { return }
    while let parcel = state.withLock({ $0.next() }) {
      switch parcel {
      case .group(let group): outlet.offer(group)
      case .completion(let completion): outlet.end(completion)
      }
    }
  }
}

extension TimeGrouping: ReflectedByName {
  @usableFromInline var description: String { "CollectByTime" }
}
