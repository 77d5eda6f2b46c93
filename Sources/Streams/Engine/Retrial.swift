public import Synchronization

/// Subscribes to its upstream again when it fails. Demand that an attempt has not met is asked of the next.
@usableFromInline
package final class Retrial<Upstream: Publisher, Downstream: Subscriber>: Subscription
where Upstream.Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
  @usableFromInline let turnstile = Turnstile()
  @usableFromInline let tally = Tally()
  /// Twice the number of the attempt, and one more once its upstream has arrived. Other signals are ignored.
  @usableFromInline let turn = Atomic(0)
  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var upstream: (any Subscription)?
  /// `nil` for ever.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var retriesLeft: Int?
  /// Attempts to be made: an upstream that fails while it is being subscribed to does not recurse (law R1).
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var attemptsDue = 0
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var isAttempting = false
  @exclusivity(unchecked)  // written before there is anybody to read it at the same time
  @usableFromInline var isAttached = false
  /// Whether a value is with downstream, and whether an attempt waits for it to be back.
  @exclusivity(unchecked)  // every access is one load or one store, made by upstream's serial signals
  @usableFromInline var isDelivering = false
  @exclusivity(unchecked)  // as above
  @usableFromInline var isDue = false
  @exclusivity(unchecked)  // cleared when the last one leaves the turnstile
  @usableFromInline var exit: UnsafeMutablePointer<Exit<Downstream>>?
  @exclusivity(unchecked)  // cleared when the last one leaves the turnstile
  @usableFromInline var source: Upstream?

  @inlinable
  package init(_ source: Upstream, retries: Int?, to downstream: Downstream) {
    self.source = source
    // As in Combine, less than none is for ever.
    retriesLeft = retries.flatMap { $0 < 0 ? nil : $0 }
    exit = .lodging(Exit(downstream))
  }

  deinit { exit?.close() }

  // MARK: Attempts

  @inlinable @inline(__always)
  package func attempt() {
    guard startsAttempting() else { return }
    repeat {
      let mine = turn.load(ordering: .relaxed)
      _ = turnstile.enterEarly()
      let source = turnstile.isClosed ? nil : self.source
      leave()
      source?.subscribe(RetrialInlet(self, mine))
    } while hasAnotherAttempt()
  }

  @inlinable
  func startsAttempting() -> Bool {
    lock.withLock {
      attemptsDue += 1
      defer { isAttempting = true }
      return !isAttempting
    }
  }

  @inlinable
  func hasAnotherAttempt() -> Bool {
    lock.withLock {
      attemptsDue -= 1
      isAttempting = attemptsDue > 0
      return isAttempting
    }
  }

  // MARK: From upstream

  @inlinable
  func attach(_ subscription: any Subscription, turn mine: Int) {
    _ = turnstile.enterEarly()
    defer { leave() }
    let outstanding = lock.withLock { () -> Subscribers.Demand? in
      guard turn.load(ordering: .relaxed) == mine, !turnstile.isClosed else { return nil }
      turn.store(mine + 1, ordering: .relaxed)
      upstream = subscription
      return tally.outstanding
    }
    guard let outstanding else { return subscription.cancel() }
    if isAttached {
      if outstanding > .none { subscription.request(outstanding) }
    } else {
      isAttached = true
      guard turnstile.attach() else { return subscription.cancel() }
      exit!.pointee.attach(self)
    }
  }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input, turn mine: Int) -> Subscribers.Demand {
    if turnstile.enter() { pass(input, turn: mine) }
    leave()
    return .none
  }

  @inlinable @inline(__always)
  func pass(_ input: Downstream.Input, turn mine: Int) {
    guard turn.load(ordering: .relaxed) == mine + 1, tally.isUnlimited || tally.spend() else { return }
    let isNested = isDelivering
    isDelivering = true
    let more = exit!.pointee.deliver(input)
    isDelivering = isNested
    if isDue, !isNested { attemptNow() }
    if more > .none { request(more) }
  }

  @inlinable
  func receive(_ completion: Subscribers.Completion<Downstream.Failure>, turn mine: Int) {
    let isOpen = turnstile.enterEarly()
    defer { leave() }
    guard isOpen, let tries = endAttempt(mine, failed: completion.isFailure) else { return }
    if tries, isDelivering { return isDue = true }  // law X01: the next may send on another thread
    if tries { return attempt() }
    guard turnstile.close() else { return }
    if !isAttached { exit!.pointee.attach(Subscriptions.empty) }
    exit!.pointee.complete(completion)
  }

  /// Makes the attempt that waited for a delivery.
  @inlinable
  func attemptNow() {
    isDue = false
    if !turnstile.isClosed { attempt() }
  }

  /// Whether there is another attempt; `nil` if this one had ended.
  @inlinable
  func endAttempt(_ mine: Int, failed: Bool) -> Bool? {
    let (tries, gone) = lock.withLock { () -> (Bool?, (any Subscription)?) in
      let now = turn.load(ordering: .relaxed)
      guard now == mine || now == mine + 1 else { return (nil, nil) }
      turn.store(mine + 2, ordering: .relaxed)
      let gone = upstream.take()
      guard failed, retriesLeft != 0 else { return (false, gone) }
      retriesLeft = retriesLeft.map { $0 - 1 }
      return (true, gone)
    }
    withExtendedLifetime(gone) {}
    return tries
  }

  // MARK: From downstream

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    let isOpen = turnstile.enter()
    defer { leave() }
    guard isOpen, demand > .none else { return }
    lock.withLock { () -> (any Subscription)? in
      tally.add(demand)
      return upstream
    }?.request(demand)
  }

  @usableFromInline
  package func cancel() {
    _ = turnstile.enter()
    defer { leave() }
    if turnstile.close() { lock.withLock { upstream.take() }?.cancel() }
  }

  @inlinable @inline(__always)
  func leave() {
    if turnstile.leave() { putAway() }
  }

  @inlinable @inline(never)
  func putAway() {
    exit.take()?.close()
    source = nil
    withExtendedLifetime(lock.withLock { upstream.take() }) {}
  }
}

extension Retrial: ReflectedByName {
  @usableFromInline package var description: String { "Retry" }
}

extension Subscribers.Completion {
  @inlinable
  package var isFailure: Bool { if case .failure = self { true } else { false } }
}

/// One attempt's way into a ``Retrial``.
@frozen @usableFromInline
struct RetrialInlet<Upstream: Publisher, Downstream: Subscriber>: Subscriber
where Upstream.Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let retrial: Retrial<Upstream, Downstream>
  @usableFromInline let turn: Int

  @inlinable
  init(_ retrial: Retrial<Upstream, Downstream>, _ turn: Int) {
    self.retrial = retrial
    self.turn = turn
  }

  @inlinable
  func receive(subscription: any Subscription) { retrial.attach(subscription, turn: turn) }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { retrial.receive(input, turn: turn) }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { retrial.receive(completion, turn: turn) }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { retrial.combineIdentifier }
}

extension RetrialInlet: ReflectedByName {
  @usableFromInline var description: String { retrial.description }
}
