public import Synchronization

/// Joins upstreams of different types into rows.
///
/// It is not an ``OperatorCore``, which takes more instructions for a row.
///
/// `Slots` has one place for each upstream. Only the closures depend on its shape, so one engine serves `zip` and `combineLatest`
/// of tuples and of collections.
///
/// The type of downstream is not part of its type: then the chain above each inlet would contain the whole chain below, and
/// code would double with each join.
@usableFromInline
package final class Join<Slots, Failure: Error>: Subscription, DrainLoopOwner {
  /// The difference between `zip` and `combineLatest`.
  @frozen @usableFromInline
  package enum Policy {
    /// A row takes one value of each upstream, and waits for demand. Ends when a finished upstream has none left.
    case takesOneOfEach
    /// A row shows the latest of each upstream. Without demand, the newest row waits for it. A value that arrives during the
    /// delivery of a row makes none. Ends when all have finished.
    case showsLatest
  }

  @usableFromInline
  package enum Event {
    case placed(() -> Subscribers.Demand, UpstreamHandle)
    case opened(UpstreamHandle, isPulled: Bool)
    case finished(Int)
    case failed(Failure)
    case asked(Subscribers.Demand)
    case cancelled
  }

  @usableFromInline let name: String
  @usableFromInline let policy: Policy
  @usableFromInline let arity: Int
  @usableFromInline let zeroDemand: ZeroDemand
  @usableFromInline let isExhausted: (Slots, Int) -> Bool
  /// How many values are requested ahead of each upstream of a `zip`; `nil` if that follows from downstream's demand.
  @usableFromInline let prefetch: Int?

  @usableFromInline let drainLoop = DrainLoop<Event>()
  @usableFromInline let isOver = Atomic(false)
  /// Whether downstream has cancelled, perhaps because the end of the stream cancels an upstream: then no completion follows.
  @usableFromInline let isCancelled = Atomic(false)
  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var handles: [UpstreamHandle] = []

  @exclusivity(unchecked)  // inside the drain loop only, as all that follows
  @usableFromInline var slots: Slots
  /// Takes their place once the stream is over.
  @usableFromInline let noSlots: Slots
  @exclusivity(unchecked)
  @usableFromInline var outlet: RowOutlet<Slots, Failure>?
  @exclusivity(unchecked)
  @usableFromInline var demand = Subscribers.Demand.none
  /// The numbers of the upstreams that have finished.
  @exclusivity(unchecked)
  @usableFromInline var finished: [Int] = []
  @exclusivity(unchecked)
  @usableFromInline var isDraining = false
  /// Whether a row without demand is newer than the last one that was sent.
  @exclusivity(unchecked)
  @usableFromInline var hasNews = false
  /// The upstreams of which a few values are requested ahead.
  @exclusivity(unchecked)
  @usableFromInline var pulled: [UpstreamHandle] = []

  /// - Parameters:
  ///   - isExhausted: Whether the upstream with this number can take part in no more rows, having finished.
  @inlinable @inline(never)
  package init(
    _ name: String, _ policy: Policy, _ slots: Slots, arity: Int, prefetch: Int? = nil,
    zeroDemand: ZeroDemand = .traps, isExhausted: @escaping (Slots, Int) -> Bool,
    to outlet: consuming RowOutlet<Slots, Failure>
  ) {
    self.name = name
    self.policy = policy
    (self.slots, noSlots) = (slots, slots)
    self.arity = arity
    self.zeroDemand = zeroDemand
    self.isExhausted = isExhausted
    self.prefetch = prefetch
    self.outlet = .some(outlet)
  }

  /// Creates the inlet of one upstream. `place` stores a value in its slot and returns the value before. Releasing
  /// that may run user code, which must not happen while the slots are being written.
  @inlinable @inline(never)
  package func inlet<Value>(
    _ number: Int, _: Value.Type, place: @escaping (inout Slots, Value) -> Value?
  ) -> JoinInlet<Value, Slots, Failure> {
    let handle = UpstreamHandle()
    lock.withLock { handles.append(handle) }
    return JoinInlet(self, handle, number, place)
  }

  /// Sends itself to `downstream`, and subscribes to publishers of one type. `place` stores a value of the one with this number.
  @inlinable
  package func start<Upstream: Publisher, Downstream: Subscriber>(
    _ publishers: [Upstream], for downstream: Downstream,
    place: @escaping (inout Slots, Int, Upstream.Output) -> Upstream.Output?
  ) where Upstream.Failure == Failure, Downstream.Failure == Failure {
    downstream.receive(subscription: self)
    for (number, publisher) in publishers.enumerated() where !isOver.load(ordering: .relaxed) {
      publisher.attach(inlet(number, Upstream.Output.self) { place(&$0, number, $1) })
    }
  }

  // MARK: Subscription

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    if zeroDemand == .traps { demand.requireSome(of: name) }
    if demand > .none { perform(.asked(demand)) }
  }

  @usableFromInline
  package func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    if stop() { perform(.cancelled) }
  }

  /// Cancels all upstreams. True for the first caller.
  @inlinable
  func stop() -> Bool {
    guard !isOver.exchange(true, ordering: .relaxed) else { return false }
    let rest = lock.withLock { () -> [UpstreamHandle] in
      defer { handles = [] }
      return handles
    }
    for handle in rest { handle.cancel() }
    return true
  }

  @usableFromInline
  package var _gate: AnyObject? { drainLoop }

  // MARK: The drain loop

  @inlinable @inline(__always)
  func take<Value>(
    _ value: Value, from handle: UpstreamHandle, _ place: @escaping (inout Slots, Value) -> Value?
  ) -> Subscribers.Demand {
    let entry = drainLoop.enterInOrder()
    if entry == .busy {
      if drainLoop.enqueueValue(.placed({ self.put(value, from: handle, place) }, handle)) {
        drainAndLeave()
      }
      return .none
    }
    let answer = put(value, from: handle, place)
    if entry == .entered { drainAndLeave() }
    return answer
  }

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
    outlet = nil
    slots = noSlots
  }
}

// MARK: Inside the drain loop

extension Join {
  @inlinable @inline(__always)
  func put<Value>(
    _ value: Value, from handle: UpstreamHandle, _ place: (inout Slots, Value) -> Value?
  ) -> Subscribers.Demand {
    if isOver.load(ordering: .relaxed) { return .none }
    if policy == .showsLatest, !demand.isUnlimited { _ = handle.spend() }
    let old = place(&slots, value)
    if isDraining { return .none }
    if demand == .none {
      if hasNews, let old { Drops.note(old, by: self, because: .superseded) }
      hasNews = true
      return .none
    }
    withExtendedLifetime(old) {}
    return policy == .showsLatest ? deliverLatest(from: handle) : deliver(from: handle)
  }

  /// Delivers the row of the latest values. Returns the additional demand for `handle`.
  @inlinable @inline(__always)
  func deliverLatest(from handle: UpstreamHandle?) -> Subscribers.Demand {
    let isUnlimited = demand.isUnlimited
    hasNews = false
    isDraining = true
    let isSent = sendRow() != nil
    isDraining = false
    return isSent && !isUnlimited ? raiseDemand(answering: handle) : .none
  }

  /// Requests of each upstream what it owes less than downstream wants, and returns that of `sender`.
  ///
  /// An upstream may have spent its demand on values without a row of their own.
  @inlinable @inline(never)
  func raiseDemand(answering sender: UpstreamHandle?) -> Subscribers.Demand {
    var answer = Subscribers.Demand.none
    var requests: [(UpstreamHandle, Subscribers.Demand)] = []
    for handle in lock.withLock({ handles }) where handle.isOpen {
      let missing = handle.owe(atLeast: demand)
      if handle === sender { answer = missing } else if missing > .none { requests.append((handle, missing)) }
    }
    for (handle, missing) in requests { handle.request(missing) }
    return answer
  }

  /// Delivers the rows that are complete. Returns the additional demand for `handle`.
  @inlinable @inline(__always)
  func deliver(from handle: UpstreamHandle?) -> Subscribers.Demand {
    if isDraining { return .none }
    isDraining = true
    defer { isDraining = false }
    var answer = Subscribers.Demand.none
    while demand > .none, !isOver.load(ordering: .relaxed), let more = sendRow() {
      if !finished.isEmpty { endIfExhausted(finished) }
      if !pulled.isEmpty { pull(afterRow: true) }
      guard more > .none else { continue }
      askOthers(than: handle, for: more)
      answer += more
    }
    guard let handle else { return .none }
    return handle.isChild ? .none : answer
  }

  /// For other modules: the attribute of a stored property does not hold there, and each access would be checked.
  @inlinable @inline(__always)
  package func withSlots<Result>(_ body: (inout Slots) -> Result) -> Result { body(&slots) }

  @inlinable @inline(__always)
  func sendRow() -> Subscribers.Demand? { outlet!.sendRow(of: self) }

  /// Sends a row that was taken out of the slots.
  @inlinable @inline(__always)
  package func send<Downstream: Subscriber>(
    _ row: Downstream.Input, to downstream: Downstream
  ) -> Subscribers.Demand {
    demand -= 1
    let more = downstream.receive(row)
    if more > .none { demand += more }
    return more
  }

  @inlinable
  func askOthers(than handle: UpstreamHandle?, for more: Subscribers.Demand) {
    if more == .none { return }
    let all = lock.withLock { handles }
    if policy == .showsLatest {
      for handle in all where handle.isOpen { handle.owe(more) }  // all of them, before a row
    }
    for other in all where other !== handle && other.isOpen && !other.isChild { other.request(more) }
  }

  /// Requests values ahead of each upstream that loses none by being asked late, and not all that downstream wants: it may
  /// be a sequence without end.
  ///
  /// `owed` of such an upstream is the number of its values that were requested and are in no row yet.
  @inlinable
  func pull(afterRow: Bool) {
    let most = prefetch ?? 32
    for handle in pulled {
      if afterRow, handle.owed > 0 { handle.owed -= 1 }  // it may have sent more than was requested (law H28)
      let wanted = Swift.min(most, demand.max ?? .max)  // a request may have been met at once
      let missing = wanted - handle.owed
      // Several at once: each request costs as much as some values.
      guard missing > 0, missing >= Swift.min(wanted, most / 4) else { continue }
      handle.owed += missing
      handle.request(.max(missing))
    }
  }

  @inlinable @inline(never)
  package func handle(_ event: Event) {
    if isOver.load(ordering: .relaxed) { return }
    switch event {
    case .placed(let put, let handle):
      let more = put()
      if more > .none { handle.request(more) }
    case .opened(let handle, let isPulled):
      handle.isOpen = true
      if isPulled || prefetch != nil {
        handle.isChild = true
        pulled.append(handle)
        pull(afterRow: false)
      } else {
        handle.requestMore(demand)  // all that was requested so far: no row was sent before
      }
    case .asked(let more):
      demand += more
      if policy == .showsLatest, isDraining { return }  // is requested after the delivery
      askOthers(than: nil, for: more)
      switch policy {
      case .takesOneOfEach:
        _ = deliver(from: nil)
        if !pulled.isEmpty { pull(afterRow: false) }
      case .showsLatest:
        guard hasNews, demand > .none, !isOver.load(ordering: .relaxed) else { return }
        _ = deliverLatest(from: nil)
        if !finished.isEmpty { endIfExhausted(finished) }
      }
    case .finished(let number):
      finished.append(number)
      endIfExhausted([number])
    case .failed(let error): end(.failure(error))
    case .cancelled: break
    }
  }

  /// Ends if no row can follow. `numbers` are those finished upstreams of which that is not known.
  @inlinable @inline(never)
  func endIfExhausted(_ numbers: [Int]) {
    switch policy {
    case .showsLatest:
      guard finished.count == arity, !hasNews || finished.contains(where: { isExhausted(slots, $0) }) else {
        return
      }
    case .takesOneOfEach:
      guard numbers.contains(where: { isExhausted(slots, $0) }) else { return }
    }
    end(.finished)
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<Failure>) {
    if stop(), !isCancelled.load(ordering: .relaxed) { outlet!.complete(completion) }
  }
}

extension Join: ReflectedByName {
  @usableFromInline package var description: String { name }
}
