public import Streams

extension Publisher {
  /// Subscribes a recorder that asks for `demand` values. `prepare` is called before that: the place to set hooks.
  @_disfavoredOverload
  public func record(
    demand: Subscribers.Demand = .unlimited, _ prepare: (Recorder<Output, Failure>) -> Void = { _ in }
  ) -> Recorder<Output, Failure> {
    let recorder = Recorder<Output, Failure>(demand: demand)
    prepare(recorder)
    subscribe(recorder)
    return recorder
  }
}

/// A subscriber that writes everything down.
///
/// It takes what it is sent without judging it: a second subscription, values before a subscription, and
/// events after the end are all recorded. It holds its subscriptions until ``forget()``, and never cancels by
/// itself. Any thread may deliver and any thread may read.
public final class Recorder<Input, Failure: Error>: Subscriber, Cancellable {
  /// One thing that was received.
  public enum Event {
    /// A subscription, which is kept.
    case subscription
    /// A value, whether or not it was asked for.
    case value(Input)
    /// The end, whether or not it is the first.
    case completion(Subscribers.Completion<Failure>)
  }

  struct State {
    var events: [Event] = []
    var count = 0
    var hasEnded = false
    var subscriptions: [any Subscription] = []
    var demanded = Subscribers.Demand.none
    var waiters: [Waiter] = []
    /// How many values `next()` has returned.
    var taken = 0
  }

  let state = Guarded(State())
  private let initial: Subscribers.Demand

  /// Called inside `receive(subscription:)`, before the initial demand is requested. Set it before
  /// subscribing.
  public var onSubscription: ((Recorder) -> Void)?

  /// Called inside `receive(_:)`, after the value was recorded. Set it before subscribing.
  public var onValue: ((Recorder, Input) -> Void)?

  /// Called inside `receive(completion:)`, after it was recorded. Set it before subscribing.
  public var onCompletion: ((Recorder, Subscribers.Completion<Failure>) -> Void)?

  /// What `receive(_:)` returns for each value. Set it before subscribing.
  public var answer: (Input) -> Subscribers.Demand

  /// Where else to write what is received. Set it before subscribing.
  public var journal: Journal?

  /// The name under which it writes into the journal.
  public var name = "downstream"

  /// A recorder that asks for `demand` on arrival of the subscription, and for `more` with each value.
  public init(demand: Subscribers.Demand = .unlimited, answering more: Subscribers.Demand = .none) {
    initial = demand
    answer = { _ in more }
    Belongings.current?.note(self)
  }

  /// A recorder that asks for `demand` on arrival of the subscription, and then what `answer` says for each
  /// value.
  public init(
    demand: Subscribers.Demand = .unlimited, answering answer: @escaping (Input) -> Subscribers.Demand
  ) {
    initial = demand
    self.answer = answer
    Belongings.current?.note(self)
  }

  // MARK: What was received

  /// Everything received, in order.
  public var events: [Event] { state.withLock { $0.events } }

  /// The values received, in order.
  public var values: [Input] {
    events.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }

  /// The completions received. More than one is a fault of the publisher.
  public var completions: [Subscribers.Completion<Failure>] {
    events.compactMap { if case .completion(let completion) = $0 { completion } else { nil } }
  }

  /// The subscriptions received and not forgotten. More than one is a fault of the publisher.
  public var subscriptions: [any Subscription] { state.withLock { $0.subscriptions } }

  // MARK: What was asked

  /// Everything asked for so far: initially, by ``request(_:)``, and by the answers to values.
  public var demanded: Subscribers.Demand { state.withLock { $0.demanded } }

  /// What was asked for and has not come yet. None if more came than was asked for.
  public var outstanding: Subscribers.Demand {
    guard let demanded = demanded.max else { return .unlimited }
    return .max(Swift.max(0, demanded - state.withLock { $0.count }))
  }

  // MARK: Acting

  /// Asks the first subscription for `demand` more values. Does nothing if there is no subscription.
  public func request(_ demand: Subscribers.Demand) {
    let subscription = state.withLock { state -> (any Subscription)? in
      guard let first = state.subscriptions.first else { return nil }
      state.demanded += demand
      return first
    }
    subscription?.request(demand)
  }

  /// Cancels the first subscription, and keeps it. Does nothing if there is none.
  public func cancel() { subscriptions.first?.cancel() }

  /// Lets go of the subscriptions without cancelling them.
  public func forget() {
    let gone = state.withLock { state in
      defer { state.subscriptions = [] }
      return state.subscriptions
    }
    withExtendedLifetime(gone) {}
  }

  // MARK: Subscriber

  public func receive(subscription: any Subscription) {
    let isFirst = state.withLock { state in
      state.subscriptions.append(subscription)
      return state.subscriptions.count == 1
    }
    record(.subscription)
    onSubscription?(self)
    if isFirst, initial > .none { request(initial) }
  }

  public func receive(_ input: Input) -> Subscribers.Demand {
    record(.value(input))
    onValue?(self, input)
    let more = answer(input)
    state.withLock { $0.demanded += more }
    return more
  }

  public func receive(completion: Subscribers.Completion<Failure>) {
    record(.completion(completion))
    onCompletion?(self, completion)
  }

  private func record(_ event: Event) {
    journal?.note("\(name): \(event)")
    let satisfied = state.withLock { state in
      state.events.append(event)
      switch event {
      case .subscription: break
      case .value: state.count += 1
      case .completion: state.hasEnded = true
      }
      return state.takeSatisfied()
    }
    for waiter in satisfied { waiter.resumption.resume() }
  }
}

extension Recorder: Belonging {
  func endWhatIsLeft() {
    let (hasEnded, subscriptions) = state.withLock { ($0.hasEnded, $0.subscriptions) }
    if !hasEnded {
      for subscription in subscriptions { subscription.cancel() }
    }
    forget()
  }
}

// What is mutable is guarded, except the hooks: they are set before subscribing, and only read afterwards.
extension Recorder: @unchecked Sendable where Input: Sendable {}

extension Recorder.Event: CustomStringConvertible {
  public var description: String {
    switch self {
    case .subscription: "subscription"
    case .value(let value): "value \(value)"
    case .completion(.finished): "finished"
    case .completion(.failure(let error)): "failure \(error)"
    }
  }
}

extension Recorder.Event: Equatable where Input: Equatable, Failure: Equatable {}
extension Recorder.Event: Sendable where Input: Sendable {}
