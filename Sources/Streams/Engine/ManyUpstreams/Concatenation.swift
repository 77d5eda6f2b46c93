public import Synchronization

/// Which upstream a ``Concatenation`` listens to, and whether its subscription has arrived.
@frozen @usableFromInline
package enum Turn: Int {
  case first, firstAttached, second, secondAttached, over
}

/// Listens to one upstream after another. Demand that the first has not met is requested of the next.
///
/// Not an ``OperatorCore``: there, a value costs more.
@usableFromInline
package final class Concatenation<Scheme: ConcatenationPlan, Downstream: Subscriber>: Subscription,
  LifecycleOwner
where Scheme.Next.Output == Downstream.Input, Scheme.Next.Failure == Downstream.Failure {
  @usableFromInline let lifecycle = LifecycleState()
  @usableFromInline let demandCounter = DemandCounter()
  /// A ``Turn``: signals of any other upstream are late or early, and ignored. As a number: an enum is checked when it is
  /// loaded.
  @usableFromInline let turn = Atomic(Turn.first.rawValue)
  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var upstream: SubscriptionObject?
  @exclusivity(unchecked)  // written before another thread can read it
  @usableFromInline var isAttached = false
  @exclusivity(unchecked)  // every access is one load or one store, made by upstream's serial signals
  @usableFromInline var isEmpty = true
  /// Whether a value is being delivered, and the subscription to the next upstream that waits for the end of that
  /// delivery. The next upstream may send on another thread, which it must not do earlier (law X01).
  @exclusivity(unchecked)  // every access is one load or one store, made by upstream's serial signals
  @usableFromInline var isDelivering = false
  @exclusivity(unchecked)  // as above
  @usableFromInline var due: (() -> Void)?
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var firstTrampoline: AnyTrampoline?
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var secondTrampoline: AnyTrampoline?
  @exclusivity(unchecked)  // cleared when the last one leaves the lifecycle state
  @usableFromInline var box: UnsafeMutablePointer<DownstreamBox<Downstream, Void, Scheme?>>?

  @inlinable
  package init(_ plan: Scheme, to downstream: Downstream) {
    box = .allocate(initializing: DownstreamBox(downstream, (), plan))
  }

  deinit { box?.close() }

  // MARK: From upstream

  /// One copy for both upstreams.
  @inlinable @inline(never)
  func attach(_ subscription: any Subscription, turn mine: Turn, then attached: Turn) {
    _ = lifecycle.enterEarly()
    defer { leave() }
    let held = subscription._held
    let outstanding = lock.withLock { () -> Subscribers.Demand? in
      guard turn.load(ordering: .relaxed) == mine.rawValue, !isOver else { return nil }
      turn.store(attached.rawValue, ordering: .relaxed)
      upstream = held
      return demandCounter.outstanding
    }
    guard let outstanding else { return subscription.cancel() }
    if isAttached {
      if outstanding > .none { subscription.request(outstanding) }
    } else {
      isAttached = true
      guard lifecycle.claim(), lifecycle.attach(under: held._gate) else { return subscription.cancel() }
      box!.pointee.attach(self)
    }
  }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input, turn mine: Turn) -> Subscribers.Demand {
    let isCovered = lifecycle.isCovered
    let more = lifecycle.enter(unless: isCovered) ? pass(input, turn: mine) : .none
    if !isCovered { leave() }
    return more
  }

  @inlinable @inline(__always)
  func pass(_ input: Downstream.Input, turn mine: Turn) -> Subscribers.Demand {
    guard turn.load(ordering: .relaxed) == mine.rawValue, demandCounter.isUnlimited || demandCounter.spend()
    else {
      return drop(input, turn: mine)
    }
    isEmpty = false
    let isNested = isDelivering
    isDelivering = true
    let more = box.unsafelyUnwrapped.pointee.deliver(input)
    isDelivering = isNested
    if due != nil { moveOn(isNested) }
    return more > .none ? answer(more, turn: mine) : .none
  }

  @inlinable
  func drop(_ input: Downstream.Input, turn mine: Turn) -> Subscribers.Demand {
    if turn.load(ordering: .relaxed) == mine.rawValue { Drops.note(input, by: self, because: .unrequested) }
    return .none
  }

  /// Adds to the demand. If the next upstream has taken over during the delivery, this requests from it, because the
  /// one that delivered has ended.
  @inlinable
  func answer(_ more: Subscribers.Demand, turn mine: Turn) -> Subscribers.Demand {
    let (isMine, successor) = lock.withLock { () -> (Bool, SubscriptionObject?) in
      demandCounter.add(more)
      return turn.load(ordering: .relaxed) == mine.rawValue ? (true, nil) : (false, upstream)
    }
    successor?.request(more)
    return isMine ? more : .none
  }

  @inlinable
  func endFirst(_ completion: Subscribers.Completion<Scheme.First>) {
    let isOpen = lifecycle.enterEarly()
    defer { leave() }
    guard isOpen, passOn(from: .first, to: .second), let plan = box!.pointee.memory.take() else { return }
    switch plan.next(after: completion, wasEmpty: isEmpty) {
    case .publisher(let next):
      if lifecycle.isClosed { return }  // the plan's closure may have cancelled
      if let constant = next.valueUnseen, conclude(with: constant) { return }
      if isDelivering { due = { self.follow(next) } } else { follow(next) }
    case .end(let completion): finish(completion)
    }
  }

  /// One copy of all that subscribing to `next` specialises.
  @inlinable @inline(never)
  func follow(_ next: Scheme.Next) { next.subscribe(SecondInlet(self)) }

  /// Delivers a next upstream that is one value, if nothing is before it. False if it must be subscribed to.
  @inlinable
  func conclude(with constant: Downstream.Input) -> Bool {
    guard !isDelivering else { return false }
    if !isAttached {
      isAttached = true
      guard lifecycle.claim(), lifecycle.attach(under: nil) else { return true }
      box!.pointee.attach(self)
    }
    guard lifecycle.isOpen else { return true }
    guard demandCounter.outstanding > .none else { return false }
    _ = pass(constant, turn: .second)
    if passOn(from: .second, to: .over) { finish(.finished) }
    return true
  }

  /// Runs `move`, which subscribes to the next upstream: now, or after the delivery under way.
  @inlinable
  package func afterDelivery(_ move: @escaping () -> Void) {
    if isDelivering { due = move } else if !lifecycle.isClosed { move() }
  }

  @inlinable @inline(never)
  func moveOn(_ isNested: Bool) {
    if isNested { return }
    let move = due.take()
    if !lifecycle.isClosed { move?() }
  }

  @inlinable
  func endSecond(_ completion: Subscribers.Completion<Downstream.Failure>) {
    let isOpen = lifecycle.enterEarly()
    defer { leave() }
    if isOpen, passOn(from: .second, to: .over) { finish(completion) }
  }

  @inlinable
  func passOn(from mine: Turn, to next: Turn) -> Bool {
    let (isMine, gone) = lock.withLock { () -> (Bool, SubscriptionObject?) in
      let now = turn.load(ordering: .relaxed)
      guard now == mine.rawValue || now == mine.rawValue + 1 else { return (false, nil) }
      turn.store(next.rawValue, ordering: .relaxed)
      return (true, upstream.take())
    }
    withExtendedLifetime(gone) {}
    return isMine
  }

  @inlinable
  func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard lifecycle.close(for: self) else { return }
    if !isAttached { box!.pointee.attach(Subscriptions.empty) }
    box!.pointee.complete(completion)
  }

  // MARK: From downstream

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    if case .traps = Scheme.zeroDemand { demand.requireSome(of: Scheme.name) }
    let isOpen = lifecycle.enter()
    defer { leave() }
    guard isOpen, demand > .none else { return }
    lock.withLock { () -> SubscriptionObject? in
      demandCounter.add(demand)
      return upstream
    }?.request(demand)
  }

  @usableFromInline
  package func cancel() {
    _ = lifecycle.enter()
    defer { leave() }
    guard lifecycle.close(for: self) else { return }
    lock.withLock { upstream.take() }?.cancel()
  }

  // MARK: Ending

  @usableFromInline var isOver: Bool { isAttached && !lifecycle.isOpen }

  /// The gate of the first upstream. Values of the second enter.
  @usableFromInline
  package var _gate: AnyObject? { lifecycle.deliveringGate }

  @inlinable @inline(__always)
  package func leave() {
    if lifecycle.leave() { releaseAll() }
  }

  @inlinable @inline(never)
  func releaseAll() {
    box.take()?.close()
    let (gone, first, second) = lock.withLock {
      (upstream.take(), firstTrampoline.take(), secondTrampoline.take())
    }
    withExtendedLifetime(gone) {}
    first?.clear()
    second?.clear()
  }
}

// MARK: Trampoline

extension Concatenation: TrampolineHost {
  @usableFromInline
  package func releaseUpstream() -> Bool {
    let gone = lock.withLock { () -> SubscriptionObject? in
      switch Turn(rawValue: turn.load(ordering: .relaxed)) {
      case .firstAttached: turn.store(Turn.first.rawValue, ordering: .relaxed)
      case .secondAttached: turn.store(Turn.second.rawValue, ordering: .relaxed)
      case .first, .second, .over, nil: break
      }
      return upstream.take()
    }
    withExtendedLifetime(gone) {}
    return !isOver
  }

  @usableFromInline
  package func ask(for more: Subscribers.Demand) {
    lock.withLock { upstream }?.request(more)
  }

  @usableFromInline
  func trampolineOfFirst() -> AnyTrampoline? {
    lock.withLock {
      guard !lifecycle.isClosed else { return nil }
      if firstTrampoline == nil { firstTrampoline = Trampoline<Downstream.Input, Scheme.First>() }
      return firstTrampoline
    }
  }

  @usableFromInline
  func trampolineOfSecond() -> AnyTrampoline? {
    lock.withLock {
      guard !lifecycle.isClosed else { return nil }
      if secondTrampoline == nil { secondTrampoline = Trampoline<Downstream.Input, Downstream.Failure>() }
      return secondTrampoline
    }
  }
}

extension Concatenation: ReflectedByName {
  @usableFromInline package var description: String { Scheme.name }

  @usableFromInline package var reflectedChildren: [Mirror.Child] {
    guard Scheme.showsDownstream else { return [] }
    let isOpen = lifecycle.enterEarly()
    defer { leave() }
    guard isOpen, let box else { return [] }
    return [("downstream", box.pointee.downstream), ("demand", demandCounter.outstanding)]
  }
}
