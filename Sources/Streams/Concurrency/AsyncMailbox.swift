/// The values that have arrived for an iteration over a publisher, and the tasks that wait for more.
///
/// With prefetching, each wait requests a value, even if one has already arrived. So a task that takes a value leaves one for
/// each other task that waits.
@usableFromInline
package final class AsyncMailbox<Element, Failure: Error>: Sendable {
  /// The result of a wait.
  @frozen @usableFromInline
  package enum Arrival: @unchecked Sendable {  // only the sending thread and then the waiting task use it
    case value(Element)
    case end(Failure?)
  }

  @usableFromInline typealias Continuation = UnsafeContinuation<Arrival, Never>

  @frozen @usableFromInline
  struct State {
    @usableFromInline var upstream: SubscriptionObject?
    /// The inlet of a publisher that never sends: it does not retain the inlet, and does not end.
    @usableFromInline var inlet: AsyncInlet<Element, Failure>?
    @usableFromInline var isOver = false
    @usableFromInline var failure: Failure?
    @usableFromInline var arrived = RingQueue<Element>()
    @usableFromInline var waiting = RingQueue<Continuation>()
    /// How many values may still arrive. Values beyond that are dropped (law H28). The subscription is asked for as many
    /// when it arrives.
    @usableFromInline var expected: Subscribers.Demand

    @inlinable
    init(asking demand: Subscribers.Demand) { expected = demand }

    @inlinable
    mutating func takeArrival() -> Arrival? {
      if let value = arrived.popFirst() { return .value(value) }
      return isOver ? .end(failure.take()) : nil
    }
  }

  @usableFromInline let buffering: Publishers.AsyncBuffering
  @usableFromInline let state: Guarded<State>

  @inlinable
  init(_ buffering: Publishers.AsyncBuffering) {
    self.buffering = buffering
    state = Guarded(State(asking: buffering.demand))
  }

  // MARK: From the publisher

  @inlinable
  func attach(_ subscription: any Subscription, for inlet: AsyncInlet<Element, Failure>) {
    let held = subscription._held
    let demand = state.withLock { state -> Subscribers.Demand? in
      guard state.upstream == nil, !state.isOver else { return nil }
      state.upstream = held
      if isEmpty(subscription) { state.inlet = inlet }
      return state.expected
    }
    guard let demand else { return subscription.cancel() }
    if demand > .none { subscription.request(demand) }
  }

  @inlinable
  func put(_ element: Element) {
    // Resumed outside the lock, because a continuation may run its task at once. Elements are released there, too.
    let (waiter, dropped, stranded) = state.withLock {
      state -> (Continuation?, (Element, DropReason)?, RingQueue<Continuation>) in
      // Law H29: a value before the subscription is dropped. As in Combine, no task waits for a publisher like that.
      // After the end, no task waits.
      guard state.upstream != nil else {
        defer { state.waiting = RingQueue() }
        return (nil, state.isOver ? nil : (element, .unrequested), state.waiting)
      }
      guard state.expected > .none else { return (nil, (element, .unrequested), RingQueue()) }
      state.expected -= 1
      if let waiter = state.waiting.popFirst() { return (waiter, nil, RingQueue()) }
      return (nil, buffering.keep(element, in: &state.arrived).map { ($0, .full) }, RingQueue())
    }
    waiter?.resume(returning: .value(element))
    stranded.forEach { $0.resume(returning: .end(nil)) }
    if let (lost, reason) = dropped { Drops.note(lost, by: self, because: reason) }
  }

  /// Ends the iteration, after the values that have arrived.
  @inlinable
  func end(_ failure: Failure?) { over(failure, dropsArrived: false) }

  // MARK: From the iteration

  /// Returns the next value or the end if it has arrived; otherwise ``wait(_:)`` delivers it. With prefetching, requests
  /// another value.
  @inlinable
  func ask() -> Arrival? {
    let (arrival, upstream) = state.withLock { state -> (Arrival?, SubscriptionObject?) in
      guard buffering.isCounting else { return (state.takeArrival(), nil) }
      state.expected += 1
      return (state.takeArrival(), state.upstream)
    }
    upstream?.request(.max(1))
    return arrival ?? state.withLock { $0.takeArrival() }
  }

  @inlinable
  func wait(_ continuation: Continuation) {
    let arrival = state.withLock { state -> Arrival? in
      if let arrival = state.takeArrival() { return arrival }
      state.waiting.append(continuation)
      return nil
    }
    if let arrival { continuation.resume(returning: arrival) }
  }

  /// Cancels the subscription, and ends the iteration at once.
  @inlinable
  func cancel() { over(nil, dropsArrived: true)?.cancel() }

  /// - Returns: The subscription, if one was attached.
  @inlinable @discardableResult
  func over(_ failure: Failure?, dropsArrived: Bool) -> SubscriptionObject? {
    var failure = failure
    var old = state.withLock { state in
      defer {
        state.isOver = true
        state.waiting = RingQueue()
        (state.upstream, state.inlet) = (nil, nil)
        if dropsArrived { (state.arrived, state.failure) = (RingQueue(), nil) }
      }
      // The failure is for one wait only: the first after the values, or the one that waits longest.
      if !state.isOver, state.waiting.isEmpty { state.failure = failure }
      return state
    }
    while let waiter = old.waiting.popFirst() { waiter.resume(returning: .end(failure.take())) }
    return old.upstream
  }
}
