package import Streams

/// A subscription that delivers previews and then a result, on demand.
///
/// The work starts with the first demand. Only the latest preview is kept until it is requested. The result replaces
/// it and waits for demand; completion follows immediately. A failure does not wait for demand. Delivery is serial,
/// whichever threads send and request, and no lock is held while the subscriber runs.
package final class ResultSubscription<Output: Sendable, Failure: Error>: Sendable {
  /// Starts the work. Cancelling the result stops it.
  package typealias Start = (ResultSubscription) -> AnyCancellable

  private let name: String
  private let state: Guarded<ResultSubscriptionState<Output, Failure>>

  package init<Downstream: Subscriber>(
    _ name: String, to downstream: Downstream, _ start: @escaping Start
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    self.name = name
    state = Guarded(
      ResultSubscriptionState(
        start: start,
        downstream: ResultDownstream(
          value: { downstream.receive($0) }, completion: { downstream.receive(completion: $0) })))
  }

  /// Starts delivery; called once `receive(subscription:)` has returned.
  ///
  /// A subscriber that requests values there is not ready to receive them there.
  package func open() {
    state.withLock { $0.isOpen = true }
    advance()
  }

  // MARK: Called by the work

  package func show(_ preview: Output) {
    // Values are released outside the lock, here and below.
    let gone = state.withLock { $0.show(preview) }
    withExtendedLifetime(gone) {}
    drain()
  }

  package func finish(_ value: Output) {
    end(.value(value))
  }

  package func fail(_ error: Failure) {
    end(.failure(error))
  }

  private func end(_ ending: ResultSubscriptionState<Output, Failure>.Ending) {
    let gone = state.withLock { $0.end(ending) }
    withExtendedLifetime(gone) {}
    drain()
  }

  // MARK: Delivery

  private func advance() {
    guard let start = state.withLock({ $0.takeStart() }) else { return drain() }
    let work = start(self)
    // It may have ended or been cancelled before there was something to cancel.
    let unwanted = state.withLock { $0.keep(work) }
    unwanted?.cancel()
    drain()
  }

  private func drain() {
    var isBack = false
    while let signal = state.withLock({ $0.next(isBack) }) {
      switch signal {
      case .value(let value, let downstream):
        let more = downstream.value(value)
        if more > .none { state.withLock { $0.ask(more) } }
        isBack = true
      case .completion(let completion, let downstream, let released):
        withExtendedLifetime(released) { downstream.completion(completion) }
        return
      }
    }
  }
}

extension ResultSubscription: Subscription {
  /// A demand of zero is a violation of the contract (law P3).
  package func request(_ demand: Subscribers.Demand) {
    demand.requireSome(of: name)
    state.withLock { $0.ask(demand) }
    advance()
  }

  package func cancel() {
    let released = state.withLock { $0.close() }
    released.work?.cancel()
  }
}

extension ResultSubscription: CustomStringConvertible {
  package var description: String { name }
}

/// A type-erased subscriber.
struct ResultDownstream<Output, Failure: Error> {
  let value: (Output) -> Subscribers.Demand
  let completion: (Subscribers.Completion<Failure>) -> Void
}

/// The state of a ``ResultSubscription``. Decides what is sent next, and sends nothing itself.
struct ResultSubscriptionState<Output: Sendable, Failure: Error> {
  /// A signal, and the subscriber that receives it.
  enum Signal {
    case value(Output, ResultDownstream<Output, Failure>)
    case completion(Subscribers.Completion<Failure>, ResultDownstream<Output, Failure>, Released)
  }

  enum Ending {
    // Thousands of these states may wait, and have neither. So a value takes no space before it is there.
    indirect case value(Output)
    indirect case failure(Failure)
    case finished
  }

  private indirect enum Preview {
    case value(Output)

    var value: Output {
      switch self {
      case .value(let value): value
      }
    }
  }

  /// The objects that must be released outside the lock.
  struct Released {
    var work: AnyCancellable?
    var start: ResultSubscription<Output, Failure>.Start?
    var downstream: ResultDownstream<Output, Failure>?
    var preview: Output?
    var ending: Ending?
  }

  var isOpen = false
  private var isDelivering = false
  private var demand = Subscribers.Demand.none
  private var preview: Preview?
  private var ending: Ending?
  private var start: ResultSubscription<Output, Failure>.Start?
  private var work: AnyCancellable?
  /// `nil` once nothing may be sent any more.
  private var downstream: ResultDownstream<Output, Failure>?

  init(
    start: @escaping ResultSubscription<Output, Failure>.Start, downstream: ResultDownstream<Output, Failure>
  ) {
    self.start = start
    self.downstream = downstream
  }

  mutating func ask(_ more: Subscribers.Demand) {
    if downstream != nil { demand += more }
  }

  /// - Returns: The closure that starts the work, once, if there is demand.
  mutating func takeStart() -> ResultSubscription<Output, Failure>.Start? {
    guard isOpen, demand > .none, downstream != nil else { return nil }
    return start.take()
  }

  /// - Returns: `work`, if it is not needed any more.
  mutating func keep(_ work: AnyCancellable) -> AnyCancellable? {
    guard downstream != nil, ending == nil else { return work }
    self.work = work
    return nil
  }

  /// - Returns: The preview that it replaces.
  mutating func show(_ preview: Output) -> Output? {
    guard downstream != nil, ending == nil else { return nil }
    let earlier = self.preview
    self.preview = .value(preview)
    return earlier?.value
  }

  /// Only the first ending counts.
  ///
  /// - Returns: The preview that it replaces.
  mutating func end(_ ending: Ending) -> Output? {
    guard downstream != nil, self.ending == nil else { return nil }
    self.ending = ending
    return preview.take()?.value
  }

  /// - Parameter isBack: Whether the caller has sent the previous signal.
  /// - Returns: The signal to send now. `nil` if there is none, or another thread is sending.
  mutating func next(_ isBack: Bool) -> Signal? {
    if isDelivering, !isBack { return nil }
    isDelivering = false
    guard isOpen, let downstream else { return nil }
    switch ending {
    case .failure(let error): return complete(.failure(error), downstream)
    case .finished: return complete(.finished, downstream)
    case .value(let value):
      guard demand > .none else { return nil }
      ending = .finished
      return send(value, downstream)
    case nil:
      guard demand > .none, let latest = preview.take() else { return nil }
      return send(latest.value, downstream)
    }
  }

  private mutating func send(_ value: Output, _ downstream: ResultDownstream<Output, Failure>) -> Signal {
    demand -= 1
    isDelivering = true
    return .value(value, downstream)
  }

  /// Closed before the completion is sent, so that requests and cancellation during it have no effect (laws C10, C12).
  private mutating func complete(
    _ completion: Subscribers.Completion<Failure>, _ downstream: ResultDownstream<Output, Failure>
  ) -> Signal {
    .completion(completion, downstream, close())
  }

  /// - Returns: The objects to stop and release. Nothing the second time.
  mutating func close() -> Released {
    Released(
      work: work.take(), start: start.take(), downstream: downstream.take(), preview: preview.take()?.value,
      ending: ending.take())
  }
}

/// A publisher with a ``ResultSubscription`` for each subscriber.
package struct ResultPublisher<Output: Sendable, Failure: Error>: Publisher {
  private let name: String
  private let start: ResultSubscription<Output, Failure>.Start

  package init(_ name: String, _ start: @escaping ResultSubscription<Output, Failure>.Start) {
    self.name = name
    self.start = start
  }

  package func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let subscription = ResultSubscription(name, to: subscriber, start)
    subscriber.receive(subscription: subscription)
    subscription.open()
  }
}
