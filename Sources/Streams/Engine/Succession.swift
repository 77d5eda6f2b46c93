public import Synchronization

/// Where a ``Succession`` stands.
@frozen @usableFromInline
package enum Turn: Int {
  case first, firstAttached, second, secondAttached, over
}

/// One upstream after another, for one downstream. Demand that the first has not met is asked of the next.
@usableFromInline
package final class Succession<Scheme: Plan, Downstream: Subscriber>: Subscription
where Scheme.Next.Output == Downstream.Input, Scheme.Next.Failure == Downstream.Failure {
  @usableFromInline let turnstile = Turnstile()
  @usableFromInline let tally = Tally()
  /// Which upstream's turn it is, and whether it has arrived: signals of another are late or early, and ignored.
  ///
  /// As a number: a case is checked to be one when it is loaded.
  @usableFromInline let turn = Atomic(Turn.first.rawValue)
  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var upstream: HeldSubscription?
  @exclusivity(unchecked)  // written before there is anybody to read it at the same time
  @usableFromInline var isAttached = false
  @exclusivity(unchecked)  // every access is one load or one store, made by upstream's serial signals
  @usableFromInline var isEmpty = true
  /// Whether a value is with downstream, and what is to be subscribed to once it is back: another upstream may send
  /// on another thread, and must not before (law X01).
  @exclusivity(unchecked)  // every access is one load or one store, made by upstream's serial signals
  @usableFromInline var isDelivering = false
  @exclusivity(unchecked)  // as above
  @usableFromInline var due: (() -> Void)?
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var firstDetours: Diversion?
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var secondDetours: Diversion?
  @exclusivity(unchecked)  // cleared when the last one leaves the turnstile
  @usableFromInline var head: UnsafeMutablePointer<Head<Scheme, Downstream>>?

  @inlinable
  package init(_ plan: Scheme, to downstream: Downstream) { head = .lodging(Head(plan, downstream)) }

  deinit { head?.close() }

  // MARK: From upstream

  @inlinable
  func attach(_ subscription: any Subscription, turn mine: Turn, then attached: Turn) {
    _ = turnstile.enterEarly()
    defer { leave() }
    let held = subscription._held
    let outstanding = lock.withLock { () -> Subscribers.Demand? in
      guard turn.load(ordering: .relaxed) == mine.rawValue, !isOver else { return nil }
      turn.store(attached.rawValue, ordering: .relaxed)
      upstream = held
      return tally.outstanding
    }
    guard let outstanding else { return subscription.cancel() }
    if isAttached {
      if outstanding > .none { subscription.request(outstanding) }
    } else {
      isAttached = true
      guard turnstile.attach() else { return subscription.cancel() }
      head!.pointee.attach(self)
    }
  }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input, turn mine: Turn) -> Subscribers.Demand {
    let more = turnstile.enter() ? pass(input, turn: mine) : .none
    leave()
    return more
  }

  @inlinable @inline(__always)
  func pass(_ input: Downstream.Input, turn mine: Turn) -> Subscribers.Demand {
    guard turn.load(ordering: .relaxed) == mine.rawValue, tally.isUnlimited || tally.spend() else {
      return .none
    }
    isEmpty = false
    let isNested = isDelivering
    isDelivering = true
    let more = head.unsafelyUnwrapped.pointee.deliver(input)
    isDelivering = isNested
    if due != nil { moveOn(isNested) }
    return more > .none ? answer(more, turn: mine) : .none
  }

  /// If the turn has passed on during the delivery, the successor must be asked: who delivered is gone.
  @inlinable
  func answer(_ more: Subscribers.Demand, turn mine: Turn) -> Subscribers.Demand {
    let (isMine, successor) = lock.withLock { () -> (Bool, HeldSubscription?) in
      tally.add(more)
      return turn.load(ordering: .relaxed) == mine.rawValue ? (true, nil) : (false, upstream)
    }
    successor?.request(more)
    return isMine ? more : .none
  }

  @inlinable
  func endFirst(_ completion: Subscribers.Completion<Scheme.First>) {
    let isOpen = turnstile.enterEarly()
    defer { leave() }
    guard isOpen, passOn(from: .first, to: .second), let plan = head!.pointee.takePlan() else { return }
    switch plan.next(after: completion, wasEmpty: isEmpty) {
    case .publisher(let next):
      if let constant = next.valueUnseen, conclude(with: constant) { return }
      if isDelivering { due = { next.subscribe(SecondLeg(self)) } } else { next.subscribe(SecondLeg(self)) }
    case .end(let completion): finish(completion)
    }
  }

  /// The whole of a next upstream that is one value, if nothing is in its way. False if it must be subscribed to.
  @inlinable
  func conclude(with constant: Downstream.Input) -> Bool {
    guard !isDelivering else { return false }
    if !isAttached {
      isAttached = true
      guard turnstile.attach() else { return true }
      head!.pointee.attach(self)
    }
    guard turnstile.isOpen else { return true }
    guard tally.outstanding > .none else { return false }
    _ = pass(constant, turn: .second)
    if passOn(from: .second, to: .over) { finish(.finished) }
    return true
  }

  /// Has `move` bring the next upstream: now, or when the value that downstream is at work on is done with.
  @inlinable
  package func afterDelivery(_ move: @escaping () -> Void) {
    if isDelivering { due = move } else { move() }
  }

  @inlinable @inline(never)
  func moveOn(_ isNested: Bool) {
    if isNested { return }
    let move = due.take()
    if !turnstile.isClosed { move?() }
  }

  @inlinable
  func endSecond(_ completion: Subscribers.Completion<Downstream.Failure>) {
    let isOpen = turnstile.enterEarly()
    defer { leave() }
    if isOpen, passOn(from: .second, to: .over) { finish(completion) }
  }

  @inlinable
  func passOn(from mine: Turn, to next: Turn) -> Bool {
    let (isMine, gone) = lock.withLock { () -> (Bool, HeldSubscription?) in
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
    guard turnstile.close() else { return }
    if !isAttached { head!.pointee.attach(Subscriptions.empty) }
    head!.pointee.complete(completion)
  }

  // MARK: From downstream

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    if case .traps = Scheme.zeroDemand { demand.requireSome(of: Scheme.name) }
    let isOpen = turnstile.enter()
    defer { leave() }
    guard isOpen, demand > .none else { return }
    lock.withLock { () -> HeldSubscription? in
      tally.add(demand)
      return upstream
    }?.request(demand)
  }

  @usableFromInline
  package func cancel() {
    _ = turnstile.enter()
    defer { leave() }
    guard turnstile.close() else { return }
    lock.withLock { upstream.take() }?.cancel()
  }

  // MARK: Ending

  @usableFromInline var isOver: Bool { isAttached && !turnstile.isOpen }

  @inlinable @inline(__always)
  func leave() {
    if turnstile.leave() { putAway() }
  }

  @inlinable @inline(never)
  func putAway() {
    head.take()?.close()
    let (gone, first, second) = lock.withLock {
      (upstream.take(), firstDetours.take(), secondDetours.take())
    }
    withExtendedLifetime(gone) {}
    first?.clear()
    second?.clear()
  }
}

// MARK: Detours

extension Succession: Host {
  @usableFromInline
  package func vacate() -> Bool {
    let gone = lock.withLock { () -> HeldSubscription? in
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
  func detoursOfFirst() -> Diversion? {
    lock.withLock {
      guard !turnstile.isClosed else { return nil }
      if firstDetours == nil { firstDetours = Detours<Downstream.Input, Scheme.First>() }
      return firstDetours
    }
  }

  @usableFromInline
  func detoursOfSecond() -> Diversion? {
    lock.withLock {
      guard !turnstile.isClosed else { return nil }
      if secondDetours == nil { secondDetours = Detours<Downstream.Input, Downstream.Failure>() }
      return secondDetours
    }
  }
}

extension Succession: ReflectedByName {
  @usableFromInline package var description: String { Scheme.name }

  @usableFromInline package var reflectedChildren: [Mirror.Child] {
    guard Scheme.showsDownstream else { return [] }
    let isOpen = turnstile.enterEarly()
    defer { leave() }
    guard isOpen, let head else { return [] }
    return [("downstream", head.pointee.downstream), ("demand", tally.outstanding)]
  }
}

/// A plan and the downstream it serves. Not copyable, so that it is used where it lies.
@frozen @usableFromInline
struct Head<Scheme: Plan, Downstream: Subscriber>: ~Copyable {
  @usableFromInline var plan: Scheme?
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ plan: Scheme, _ downstream: Downstream) {
    self.plan = plan
    self.downstream = downstream
  }

  /// The plan, for one use: it may hold a publisher that holds its subscriber.
  @inlinable
  mutating func takePlan() -> Scheme? { plan.take() }

  @inlinable
  borrowing func attach(_ subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable @inline(__always)
  borrowing func deliver(_ value: Downstream.Input) -> Subscribers.Demand { downstream.receive(value) }

  @inlinable
  borrowing func complete(_ completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}
