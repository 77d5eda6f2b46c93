public import Streams

extension Publisher {
  /// Subscribes a recorder that requests `demand` values. `prepare` is called first, to set hooks.
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

/// A subscriber that records everything.
///
/// It also records violations of the contract: a second subscription, values before a subscription, and events after the
/// completion. It retains its subscriptions until ``forget()``, and never cancels by itself. Any thread may deliver and
/// any thread may read.
public final class Recorder<Input, Failure: Error>: Subscriber, Cancellable {
  /// A received event.
  public enum Event {
    /// A subscription, which is retained.
    case subscription
    /// A value, requested or not.
    case value(Input)
    /// A completion, the first or a later one.
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

  /// Computes the demand that `receive(_:)` returns for each value. Set it before subscribing.
  public var answer: (Input) -> Subscribers.Demand

  /// A journal that also records the events. Set it before subscribing.
  public var journal: Journal?

  /// Its name in the journal.
  public var name = "downstream"

  /// Creates a recorder that requests `demand` when the subscription arrives, and `more` with each value.
  public init(demand: Subscribers.Demand = .unlimited, answering more: Subscribers.Demand = .none) {
    initial = demand
    answer = { _ in more }
    TestScope.current?.note(self)
  }

  /// Creates a recorder that requests `demand` when the subscription arrives, and then the result of `answer` for each
  /// value.
  public init(
    demand: Subscribers.Demand = .unlimited, answering answer: @escaping (Input) -> Subscribers.Demand
  ) {
    initial = demand
    self.answer = answer
    TestScope.current?.note(self)
  }

  // MARK: What was received

  /// Everything received, in order.
  public var events: [Event] { state.withLock { $0.events } }

  /// The values received, in order.
  public var values: [Input] {
    events.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }

  /// The received completions. More than one is a fault of the publisher.
  public var completions: [Subscribers.Completion<Failure>] {
    events.compactMap { if case .completion(let completion) = $0 { completion } else { nil } }
  }

  /// The received subscriptions, until ``forget()``. More than one is a fault of the publisher.
  public var subscriptions: [any Subscription] { state.withLock { $0.subscriptions } }

  // MARK: What was asked

  /// The total demand so far: initial, by ``request(_:)``, and returned for values.
  public var demanded: Subscribers.Demand { state.withLock { $0.demanded } }

  /// The demand without a value yet. `.none` if there were more values than requested.
  public var outstanding: Subscribers.Demand {
    guard let demanded = demanded.max else { return .unlimited }
    return .max(Swift.max(0, demanded - state.withLock { $0.count }))
  }

  // MARK: Acting

  /// Requests `demand` more values from the first subscription. Has no effect without a subscription.
  public func request(_ demand: Subscribers.Demand) {
    let subscription = state.withLock { state -> (any Subscription)? in
      guard let first = state.subscriptions.first else { return nil }
      state.demanded += demand
      return first
    }
    subscription?.request(demand)
  }

  /// Cancels the first subscription, and retains it. Has no effect without a subscription.
  public func cancel() { subscriptions.first?.cancel() }

  /// Releases the subscriptions without cancelling them.
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

extension Recorder: ScopedPart {
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
