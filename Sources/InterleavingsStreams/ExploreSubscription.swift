public import Interleavings
public import Streams

/// Subscribes to a publisher, runs threads beside it in every order within `bounds`, and throws the first order in which the
/// publisher breaks a law of the contract: it sends a second subscription, or delivers before the subscription, on two threads
/// at once, more than was requested, after its completion, or after a cancellation has returned; or in which anything else
/// goes wrong that `explore(_:replay:_:run:after:)` finds.
///
/// ```swift
/// try exploreSubscription {
///   PassthroughSubject<Int, Never>()
/// } run: {
///   $0.thread { $0.send(1) }
///   $0.cancels()
/// }
/// ```
///
/// - Parameters:
///   - bounds: How far the search goes.
///   - replay: Repeats one schedule, as a `Counterexample` writes it, instead of a search.
///   - demand: How many values the subscriber requests when it subscribes.
///   - make: Makes the publisher of a schedule. The subscriber subscribes before the threads begin.
///   - run: Adds the threads and tasks. It is called once.
///   - after: Checks what was received, after they have ended.
/// - Returns: How far the search came.
/// - Throws: `Counterexample`, `ExplorationError` if nothing could be explored, or an error of `make`.
@discardableResult
public func exploreSubscription<Source: Publisher>(
  _ bounds: Bounds = Bounds(), replay: String? = nil, demand: Subscribers.Demand = .unlimited,
  _ make: () throws -> Source,
  run: (inout SubscriptionScenario<Source, Source.Output, Source.Failure>) -> Void,
  after: (Source, Received<Source.Output, Source.Failure>) throws -> Void = { _, _ in }
) throws -> Exploration {
  try exploreSubscription(bounds, replay: replay, demand: demand, make, to: { $0 }, run: run, after: after)
}

/// Subscribes to a publisher that is made of others, such as an operator over a subject, and runs threads beside it in every
/// order within `bounds`.
///
/// ```swift
/// try exploreSubscription {
///   (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
/// } to: { first, second in
///   first.merge(with: second)
/// } run: {
///   $0.thread { first, _ in first.send(1) }
///   $0.thread { _, second in second.send(2) }
/// } after: { _, received in
///   #expect(received.values.sorted() == [1, 2])
/// }
/// ```
///
/// - Parameters:
///   - bounds: How far the search goes.
///   - replay: Repeats one schedule, as a `Counterexample` writes it, instead of a search.
///   - demand: How many values the subscriber requests when it subscribes.
///   - make: Makes the state of a schedule.
///   - publisher: The publisher under test. The subscriber subscribes before the threads begin.
///   - run: Adds the threads and tasks. It is called once.
///   - after: Checks what was received, after they have ended.
/// - Returns: How far the search came.
/// - Throws: `Counterexample`, `ExplorationError` if nothing could be explored, or an error of `make`.
@discardableResult
public func exploreSubscription<State, Source: Publisher>(
  _ bounds: Bounds = Bounds(), replay: String? = nil, demand: Subscribers.Demand = .unlimited,
  _ make: () throws -> State, to publisher: (State) -> Source,
  run: (inout SubscriptionScenario<State, Source.Output, Source.Failure>) -> Void,
  after: (State, Received<Source.Output, Source.Failure>) throws -> Void = { _, _ in }
) throws -> Exploration {
  try explore(bounds, replay: replay) {
    let state = try make()
    let subscriber = CheckingSubscriber<Source.Output, Source.Failure>(demand: demand)
    publisher(state).subscribe(subscriber)
    return Subscribed(state: state, subscriber: subscriber)
  } run: {
    var scenario = SubscriptionScenario(scenario: $0)
    run(&scenario)
    $0 = scenario.scenario
  } after: {
    try after($0.state, $0.subscriber.received)
  }
}
