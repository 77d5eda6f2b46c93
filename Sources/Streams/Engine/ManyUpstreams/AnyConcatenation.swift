public import Synchronization

/// Which upstream a ``Concatenation`` listens to, and whether its subscription has arrived.
@frozen @usableFromInline
package enum Turn: Int {
  case first, firstAttached, second, secondAttached, over
}

/// The part of a ``Concatenation`` that needs no types: whose turn it is, demand, cancellation and release.
///
/// Code that is called through `any Subscription` is not specialised, and would look up each type it mentions.
@usableFromInline
package class AnyConcatenation: Subscription, LifecycleOwner {
  @usableFromInline final let name: String
  @usableFromInline final let zeroDemand: ZeroDemand
  @usableFromInline final let lifecycle = LifecycleState()
  @usableFromInline final let demandCounter = DemandCounter()
  /// A ``Turn``: signals of any other upstream are late or early, and ignored. As a number: an enum is checked when it is
  /// loaded.
  @usableFromInline final let turn = Atomic(Turn.first.rawValue)
  @usableFromInline final let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline final var upstream: SubscriptionObject?
  @exclusivity(unchecked)  // written before another thread can read it
  @usableFromInline final var isAttached = false
  @exclusivity(unchecked)  // every access is one load or one store, made by upstream's serial signals
  @usableFromInline final var isEmpty = true
  /// Whether a value is being delivered, and the subscription to the next upstream that waits for the end of that
  /// delivery. The next upstream may send on another thread, which it must not do earlier (law X01).
  @exclusivity(unchecked)  // every access is one load or one store, made by upstream's serial signals
  @usableFromInline final var isDelivering = false
  @exclusivity(unchecked)  // as above
  @usableFromInline final var due: (() -> Void)?
  /// 1 while downstream is being sent its subscription, and may request on another thread; 2 if something waits for the end of
  /// that.
  @usableFromInline final let arrival = Atomic<UInt8>(0)
  @exclusivity(unchecked)  // written by upstream's serial signals, before the arrival is 2; taken after that
  private final var dueOnArrival: (() -> Void)?
  @exclusivity(unchecked)  // under the lock only
  final var firstTrampoline: AnyTrampoline?
  @exclusivity(unchecked)  // under the lock only
  final var secondTrampoline: AnyTrampoline?
  /// The memory that has the downstream and the plan.
  @exclusivity(unchecked)  // cleared when the last one leaves the lifecycle state
  @usableFromInline final var place: UnsafeMutableRawPointer?
  /// Sends the downstream there its subscription, or, without one, frees that memory; formed where its type is known.
  private final let attachOrClose: (UnsafeMutableRawPointer, AnyConcatenation?) -> Void

  @usableFromInline
  init(
    _ name: String, zeroDemand: ZeroDemand, _ place: UnsafeMutableRawPointer,
    attachOrClose: @escaping (UnsafeMutableRawPointer, AnyConcatenation?) -> Void
  ) {
    self.name = name
    self.zeroDemand = zeroDemand
    self.place = place
    self.attachOrClose = attachOrClose
  }

  deinit {
    if let place { attachOrClose(place, nil) }
  }

  // MARK: From upstream

  @usableFromInline
  final func attach(_ subscription: any Subscription, turn mine: Turn, then attached: Turn) {
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
    } else if !attachDownstream(under: held._gate) {
      subscription.cancel()
    }
  }

  /// Sends downstream its subscription. False if the stream is over.
  @usableFromInline
  final func attachDownstream(under gate: AnyObject?) -> Bool {
    isAttached = true
    guard lifecycle.claim(), lifecycle.attach(under: gate) else { return false }
    arrival.store(1, ordering: .relaxed)
    attachOrClose(place!, self)
    if arrival.exchange(0, ordering: .acquiringAndReleasing) == 2, let move = dueOnArrival.take() {
      arrived(move)
    }
    return true
  }

  /// Runs what has waited: in the gate of a first upstream that is a sequence, as values of a second one need not enter there.
  private final func arrived(_ move: () -> Void) {
    if lifecycle.isClosed { return }
    if let gate = lifecycle.deliveringGate as? SerialGate, type(of: gate) == SerialGate.self {
      gate.enclose(move)
    } else {
      move()
    }
  }

  @inlinable @inline(__always)
  final var isArriving: Bool { arrival.load(ordering: .acquiring) > 0 }

  /// Adds to the demand. If the next upstream has taken over during the delivery, this requests from it, because the
  /// one that delivered has ended.
  @usableFromInline
  final func answer(_ more: Subscribers.Demand, turn mine: Turn) -> Subscribers.Demand {
    let (isMine, successor) = lock.withLock { () -> (Bool, SubscriptionObject?) in
      demandCounter.add(more)
      return turn.load(ordering: .relaxed) == mine.rawValue ? (true, nil) : (false, upstream)
    }
    successor?.request(more)
    return isMine ? more : .none
  }

  /// Runs `move`, which subscribes to the next upstream: now, or once downstream has taken what it is being sent.
  @usableFromInline
  package final func afterDelivery(_ move: @escaping () -> Void) {
    if isDelivering {
      due = move
    } else if !waitsForArrival(move), !lifecycle.isClosed {
      move()
    }
  }

  private final func waitsForArrival(_ move: @escaping () -> Void) -> Bool {
    guard isArriving else { return false }
    dueOnArrival = move
    if arrival.compareExchange(expected: 1, desired: 2, ordering: .releasing).exchanged { return true }
    dueOnArrival = nil
    return false
  }

  @usableFromInline
  final func moveOn(_ isNested: Bool) {
    if !isNested, let move = due.take() { afterDelivery(move) }
  }

  @usableFromInline
  final func passOn(from mine: Turn, to next: Turn) -> Bool {
    var gone: SubscriptionObject?
    lock.take()  // not around a closure, whose result costs 190 instructions in a debug build
    let now = turn.load(ordering: .relaxed)
    let isMine = now == mine.rawValue || now == mine.rawValue + 1
    if isMine {
      turn.store(next.rawValue, ordering: .relaxed)
      swap(&gone, &upstream)
    }
    lock.give()
    withExtendedLifetime(gone) {}
    return isMine
  }

  // MARK: From downstream

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) {
    if zeroDemand == .traps { demand.requireSome(of: name) }
    let isOpen = lifecycle.enter()
    defer { leave() }
    guard isOpen, demand > .none else { return }
    lock.withLock { () -> SubscriptionObject? in
      demandCounter.add(demand)
      return upstream
    }?.request(demand)
  }

  @usableFromInline
  package final func cancel() {
    _ = lifecycle.enter()
    defer { leave() }
    guard lifecycle.close(for: self) else { return }
    lock.withLock { upstream.take() }?.cancel()
  }

  // MARK: Ending

  private final var isOver: Bool { isAttached && !lifecycle.isOpen }

  /// The gate of the first upstream. Values of the second enter.
  @usableFromInline
  package final var _gate: AnyObject? { lifecycle.deliveringGate }

  @inlinable @inline(__always)
  package final func leave() {
    if lifecycle.leave() { releaseAll() }
  }

  @usableFromInline @inline(never)
  final func releaseAll() {
    if let place = place.take() { attachOrClose(place, nil) }
    let (gone, first, second) = lock.withLock {
      (upstream.take(), firstTrampoline.take(), secondTrampoline.take())
    }
    withExtendedLifetime(gone) {}
    first?.clear()
    second?.clear()
  }

  // MARK: For mirrors

  @usableFromInline package var reflectedChildren: [Mirror.Child] { [] }
}

extension AnyConcatenation: ReflectedByName {
  @usableFromInline package final var description: String { name }
}

// MARK: Trampoline

extension AnyConcatenation: TrampolineHost {
  @usableFromInline
  package final func releaseUpstream() -> Bool {
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
  package final func ask(for more: Subscribers.Demand) {
    lock.withLock { upstream }?.request(more)
  }
}
