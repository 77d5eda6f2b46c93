/// What has come for an iteration over a publisher's values, and who waits for more.
///
/// Who awaits a value asks for one, whether or not one is there: so nobody can be robbed of theirs by another.
final class AsyncMailbox<Element, Failure: Error>: Sendable {
  /// What a wait ends with.
  enum Arrival: @unchecked Sendable {  // it goes from the sending thread to the waiting task, and to nobody else
    case value(Element)
    case end(Failure?)
  }

  typealias Continuation = UnsafeContinuation<Arrival, Never>

  private struct State {
    var upstream: (any Subscription)?
    /// Kept if the publisher does not, though it has not ended: there is one that never sends.
    var inlet: AsyncInlet<Element, Failure>?
    var isOver = false
    var failure: Failure?
    var arrived = Fifo<Element>()
    var waiting = Fifo<Continuation>()
    /// Asked for before there was anybody to ask.
    var early = Subscribers.Demand.none
    /// What may still come, if that is counted: values beyond it are dropped (law H28).
    var expected = Subscribers.Demand.none

    mutating func takeArrival() -> Arrival? {
      if let value = arrived.popFirst() { return .value(value) }
      return isOver ? .end(failure.take()) : nil
    }
  }

  private let buffering: AsyncBuffering
  private let state: Guarded<State>

  init(_ buffering: AsyncBuffering) {
    self.buffering = buffering
    state = Guarded(State(early: buffering.demand, expected: buffering.demand))
  }

  // MARK: What the publisher does

  func attach(_ subscription: any Subscription, for inlet: AsyncInlet<Element, Failure>) {
    let early = state.withLock { state -> Subscribers.Demand? in
      guard state.upstream == nil, !state.isOver else { return nil }
      state.upstream = subscription
      if subscription is EmptySubscription { state.inlet = inlet }
      return state.early
    }
    guard let early else { return subscription.cancel() }
    if early > .none { subscription.request(early) }
  }

  func put(_ element: Element) {
    // Resumed outside the lock: a continuation may run its task at once. So are elements let go of.
    let (waiter, dropped) = state.withLock { state -> (Continuation?, Element?) in
      guard !state.isOver, state.expected > .none else { return (nil, element) }
      state.expected -= 1
      if let waiter = state.waiting.popFirst() { return (waiter, nil) }
      return (nil, buffering.keep(element, in: &state.arrived))
    }
    waiter?.resume(returning: .value(element))
    withExtendedLifetime(dropped) {}
  }

  /// Ends the iteration, after what has come.
  func end(_ failure: Failure?) { over(failure, dropsArrived: false) }

  // MARK: What the iteration does

  /// The next value or the end, if it is there or comes at once; otherwise it will come to a continuation.
  func ask() -> Arrival? {
    let (arrival, upstream) = state.withLock { state -> (Arrival?, (any Subscription)?) in
      if !state.isOver, buffering.isCounting {
        state.expected += 1
        if state.upstream == nil { state.early += 1 }
      }
      return (state.takeArrival(), state.upstream)
    }
    if buffering.isCounting { upstream?.request(.max(1)) }
    return arrival ?? state.withLock { $0.takeArrival() }
  }

  func wait(_ continuation: Continuation) {
    let arrival = state.withLock { state -> Arrival? in
      if let arrival = state.takeArrival() { return arrival }
      state.waiting.append(continuation)
      return nil
    }
    if let arrival { continuation.resume(returning: arrival) }
  }

  /// Cancels the subscription, and ends the iteration at once.
  func cancel() { over(nil, dropsArrived: true)?.cancel() }

  /// - Returns: The subscription, if the iteration was not over.
  @discardableResult
  private func over(_ failure: Failure?, dropsArrived: Bool) -> (any Subscription)? {
    var failure = failure
    var old = state.withLock { state in
      defer {
        state.isOver = true
        state.waiting = Fifo()
        (state.upstream, state.inlet) = (nil, nil)
        if dropsArrived { (state.arrived, state.failure) = (Fifo(), nil) }
      }
      // The failure is for one wait only: the first after the values, or the one that waits longest.
      if !state.isOver, state.waiting.isEmpty { state.failure = failure }
      return state
    }
    while let waiter = old.waiting.popFirst() { waiter.resume(returning: .end(failure.take())) }
    return old.upstream
  }
}
