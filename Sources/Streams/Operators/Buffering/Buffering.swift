public import Synchronization

/// Stores values that downstream has not requested yet, up to a size.
///
/// Not an ``OperatorCore``: an overflow that fails waits for the next request, and one request refills what a drain has taken out.
@usableFromInline
package final class Buffering<Downstream: Subscriber>: Subscriber, Subscription, DrainLoopOwner {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline
  package enum Event {
    case value(Input)
    case ended(Subscribers.Completion<Failure>)
    case asked(Subscribers.Demand)
    case cancelled
  }

  @usableFromInline let size: Int
  @usableFromInline let prefetch: Publishers.PrefetchStrategy
  @usableFromInline let upstream = UpstreamHandle()
  @usableFromInline let drainLoop = DrainLoop<Event>()
  @usableFromInline let isOver = Atomic(false)

  @exclusivity(unchecked)  // inside the drain loop only, as all that follows
  @usableFromInline var whenFull: Publishers.BufferingStrategy<Failure>?
  @exclusivity(unchecked)
  @usableFromInline var box: UnsafeMutablePointer<PlainDownstream<Downstream>>?
  @exclusivity(unchecked)
  @usableFromInline var kept = RingQueue<Input>()
  @exclusivity(unchecked)
  @usableFromInline var demand = Subscribers.Demand.none
  @exclusivity(unchecked)
  @usableFromInline var ending: Subscribers.Completion<Failure>?
  /// Whether values are stored only: while downstream has no subscription yet, and during a delivery.
  @exclusivity(unchecked)
  @usableFromInline var isDraining = true

  @inlinable
  package init(
    _ size: Int, _ prefetch: Publishers.PrefetchStrategy, _ whenFull: Publishers.BufferingStrategy<Failure>,
    to downstream: Downstream
  ) {
    self.size = size
    self.prefetch = prefetch
    self.whenFull = whenFull
    box = .allocate(initializing: PlainDownstream(downstream))
  }

  deinit { box?.close() }

  // MARK: Subscriber

  @inlinable
  package func receive(subscription: any Subscription) {
    guard upstream.attach(subscription) else { return subscription.cancel() }
    // Inside the drain loop: values that upstream sends at once are stored until downstream has its subscription.
    guard case .entered = drainLoop.enterInOrder() else { return }
    switch prefetch {
    case .keepFull: if size > 0 { subscription.request(.max(size)) }
    case .byRequest: subscription.request(.unlimited)
    }
    box!.pointee.attach(self)
    isDraining = false
    ask(for: drain())
    drainAndLeave()
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    guard upstream.isLive else { return .none }
    let entry = drainLoop.enterInOrder()
    if case .busy = entry {
      if drainLoop.enqueueValue(.value(input)) { drainAndLeave() }
      return .none
    }
    let more = take(input)
    if case .entered = entry { drainAndLeave() }
    return more
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    if case .attached = upstream.take() { perform(.ended(completion)) }
  }

  // MARK: Subscription

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    if demand > .none { perform(.asked(demand)) }
  }

  @usableFromInline
  package func cancel() {
    isOver.store(true, ordering: .relaxed)
    upstream.cancel()
    perform(.cancelled)
  }

  @usableFromInline
  package var _gate: AnyObject? { drainLoop }

  // MARK: The drain loop

  @inlinable
  func perform(_ event: Event) { drainLoop.perform(event, for: self) }

  @inlinable @inline(__always)
  func drainAndLeave() { drainLoop.drainAndLeave(for: self) }

  @inlinable
  package func resume() { drainLoop.resume(for: self) }

  @inlinable @inline(__always)
  package func cleanUp() {
    if isOver.load(ordering: .relaxed) { releaseAll() }
  }

  @inlinable @inline(never)
  func releaseAll() {
    box.take()?.close()
    whenFull = nil
    kept = RingQueue()
  }

  @inlinable
  package func handle(_ event: Event) {
    switch event {
    case .value(let value): ask(for: take(value))
    case .ended(let completion):
      if ending != nil { return }  // an overflow was first: what is kept comes before its failure
      ending = completion
      ask(for: drain())
    case .asked(let more):
      demand += more
      ask(for: drain())
    case .cancelled: return
    }
  }

  /// Stores or delivers a value, and returns what is requested of upstream in its place.
  @inlinable @inline(__always)
  func take(_ value: Input) -> Subscribers.Demand {
    if isOver.load(ordering: .relaxed) || ending != nil { return .none }
    // With demand, nothing is kept outside of a delivery, and the value only passes through: it needs no room.
    if kept.count < size || (demand > .none && !isDraining) {
      kept.append(value)
      return drain()
    }
    overflow(with: value)
    return kept.isEmpty ? drain() : .none  // a failure waits for what is kept, and for the next request
  }

  @inlinable
  func ask(for more: Subscribers.Demand) {
    if more > .none { upstream.request(more) }
  }

  /// Decides what becomes of a value for which there is no room.
  @inlinable @inline(never)
  func overflow(with value: Input) {
    var dropped = value
    switch whenFull {
    case .dropOldest:
      if let oldest = kept.popFirst() {
        dropped = oldest
        kept.append(value)
      }
    case .customError(let make):
      ending = .failure(make())
      upstream.cancel()
      return
    case .dropNewest, nil: break
    }
    Drops.note(dropped, by: self, because: .full)
  }

  /// Delivers the stored values that are requested.
  ///
  /// - Returns: The demand for upstream that fills the buffer again.
  @inlinable
  func drain() -> Subscribers.Demand {
    guard !isDraining else { return .none }
    isDraining = true
    var room = 0
    while demand > .none, !isOver.load(ordering: .relaxed), let value = kept.popFirst() {
      demand -= 1
      demand += box!.pointee.deliver(value)
      if prefetch == .keepFull { room += 1 }
    }
    isDraining = false
    if let ending, kept.isEmpty || ending.isFailure,
      !isOver.exchange(true, ordering: .relaxed)
    {
      box!.pointee.complete(ending)
    }
    return room > 0 && upstream.isLive ? .max(room) : .none
  }
}

extension Buffering: ReflectedByName {
  @usableFromInline package var description: String { "Buffer" }

  @usableFromInline package var reflectedChildren: [Mirror.Child] {
    switch drainLoop.enterInOrder() {
    case .entered:
      defer { drainAndLeave() }
      return innerChildren
    case .nested: return innerChildren
    case .busy: return []
    }
  }

  private var innerChildren: [Mirror.Child] {
    var values: [Input] = []
    kept.forEach { values.append($0) }
    return [
      ("values", values), ("state", upstream.isLive ? "subscribed" : "ready"), ("downstreamDemand", demand),
      ("terminal", ending as Any),
    ]
  }
}

extension Buffering: KeepsValues {}
