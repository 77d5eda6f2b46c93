public import Synchronization

/// One producer, many subscribers: delivers values in order, and stores the completion for those to come.
@usableFromInline
package final class SubscriberList<Output, Failure: Error>: AnySubscriberList, @unchecked Sendable {  // as its superclass
  @exclusivity(unchecked)  // under the lock only, as all that follows; it does not change once it is there
  @usableFromInline var ending: Subscribers.Completion<Failure>?
  /// The newest value that was sent, delivered or not; for lists that keep that.
  @exclusivity(unchecked)
  @usableFromInline package var latest: Output?
  /// How many values were sent; for lists that keep some.
  @exclusivity(unchecked)
  @usableFromInline var number: UInt
  /// The last value that was not requested, while drops are reported.
  @exclusivity(unchecked)
  private var unsent: Box<Unsent<Output>>?

  @inlinable
  package init(
    _ name: String, zeroDemand: ZeroDemand = .traps, takesRequestsAsUnlimited: Bool = false,
    replaying latest: Output? = nil, keepingAll: Bool = false,
    connection: SharedConnection? = nil
  ) {
    self.latest = latest
    number = latest == nil ? 0 : 1
    super.init(
      name, keeping: keepingAll ? .all : latest == nil ? .nothing : .latest, zeroDemand: zeroDemand,
      takesRequestsAsUnlimited: takesRequestsAsUnlimited, connection: connection,
      deliverKept: {
        unsafeDowncast($0, to: SubjectSubscription<Output, Failure>.self).deliverKept(newest: $1)
      })
  }

  @usableFromInline
  override func releaseValues() {
    let gone = lock.withLock { (latest.take(), unsent.take()) }  // their deinits may call back
    withExtendedLifetime(gone) {}
  }

  /// The newest value, of a list that keeps that and is not abandoned.
  @inlinable
  package var value: Output { lock.withLock { latest.unsafelyUnwrapped } }

  // MARK: Producing

  @inlinable @inline(never)
  package func send(_ value: Output) {
    let entry = keeps == .nothing ? drainLoop.enterInOrder() : .busy
    if case .busy = entry { return sendInLine(value) }
    deliver(value)
    if case .entered = entry { leave() }
  }

  @inlinable @inline(never)
  func sendInLine(_ value: Output) { place(value, evenWhenOver: false) }

  /// Stores `value` where the newest is kept, and sends it. After the end, it is stored at most.
  @inlinable @inline(__always)
  package func place(_ value: Output, evenWhenOver: Bool) {
    // Not as a closure: swiftc makes a function of one that is called in one place, and calls it.
    lock.take()
    if isOver { return placeLate(evenWhenOver ? value : nil) }
    var old: Output?  // its deinit must not run under the lock
    let reservation = reservePosition(for: value, &old)
    lock.give()
    withExtendedLifetime(old) {}
    finishDelivery(reservation, value)
  }

  /// Stores `value`, which ``finishDelivery(_:_:)`` then sends, in a list that is not over.
  @inlinable
  package func place(_ value: Output) -> Reservation {
    var old: Output?  // its deinit must not run under the lock
    let reservation = lock.withLock { reservePosition(for: value, &old) }
    withExtendedLifetime(old) {}
    return reservation
  }

  /// Stores `value`, and gives the lock.
  @usableFromInline @inline(never)
  func placeLate(_ value: Output?) {
    let old = latest  // its deinit must not run under the lock
    if let value { latest = value }
    lock.give()
    withExtendedLifetime(old) {}
  }

  /// Sends `value` on this thread. If another one is inside, or its values wait, calls `postpone` elsewhere, which has
  /// `value` sent again.
  package func send(_ value: Output, ifBusy postpone: @escaping () -> Void) {
    if trySend(value) { return }
    if lock.withLock({ drainLoop.enqueue { DrainThreads.runOrCall(postpone) } }) { drainAndLeave() }
  }

  /// Sends `value`, unless another thread would deliver it to a subscriber. False if it was not sent.
  @inlinable
  package func trySend(_ value: Output) -> Bool {
    let entry = keeps == .nothing ? drainLoop.enterInOrder() : .busy
    if entry == .busy { return tryPlace(value) }
    let isSent = !leavesToOthers
    if isSent { deliver(value) }
    if entry == .entered { leave() }
    return isSent
  }

  /// The same under the lock, where a thread that only subscribes or cancels is not in the way.
  @inlinable @inline(__always)
  package func tryPlace(_ value: Output) -> Bool {
    var old: Output?  // its deinit must not run under the lock
    lock.take()
    if isOver {
      lock.give()
      return true
    }
    let entry = drainLoop.enterInOrder()
    if entry == .busy || leavesToOthers {
      lock.give()
      if entry == .entered { leave() }
      return false
    }
    store(value, &old)
    let reservation = Reservation(entry == .entered ? .first : .nested, number)
    lock.give()
    withExtendedLifetime(old) {}
    finishDelivery(reservation, value)
    return true
  }

  @usableFromInline
  package func send(completion: Subscribers.Completion<Failure>) {
    let position = lock.withLock { () -> Position? in
      if isOver { return nil }
      isOver = true
      ending = completion
      return reserve { { self.finishAll() } }
    }
    if let position { finish(position) { finishAll() } }
  }

  /// Stores `value`, and reserves its position in the order of deliveries. Under the lock, and followed by
  /// ``finishDelivery(_:_:)`` without it. The caller then releases `old`, which was stored before.
  @inlinable @inline(__always)
  package func reservePosition(for value: Output, _ old: inout Output?) -> Reservation {
    store(value, &old)
    let number = number
    return Reservation(reserve { self.delivering(value, number) }, number)
  }

  @inlinable @inline(__always)
  func store(_ value: Output, _ old: inout Output?) {
    number &+= 1
    guard keeps == .latest else { return }
    old = latest
    latest = value
  }

  @usableFromInline @inline(never)
  func delivering(_ value: Output, _ number: UInt) -> () -> Void {
    { self.deliver(value, number) }
  }

  /// Delivers `value`, unless another thread does.
  @inlinable @inline(__always)
  package func finishDelivery(_ reservation: Reservation, _ value: Output) {
    finish(reservation.position) { deliver(value, reservation.number) }
  }

  // MARK: Subscribing

  /// Adds `downstream`, and sends it its subscription, and what is kept and requested.
  @inlinable @inline(__always)
  package func add<Downstream: Subscriber<Output, Failure>>(_ downstream: Downstream) {
    let subscription = SubjectSubscription(self, to: downstream)
    guard seat(subscription) else {
      return ImmediateCompletion.send(ending.unsafelyUnwrapped, to: downstream)
    }
    subscription.turn.claim()
    downstream.receive(subscription: subscription)
    subscription.giveTurn()
  }

  /// The same for a list that keeps all: `replay` is called under the lock, with what stores a value for the subscriber.
  @inlinable @inline(__always)
  package func add<Downstream: Subscriber<Output, Failure>>(
    _ downstream: Downstream, replaying replay: ((Output) -> Void) -> Void
  ) {
    let subscription = SubjectSubscription(self, to: downstream)
    seatReplaying(subscription, replay)
    subscription.turn.claim()
    downstream.receive(subscription: subscription)
    subscription.giveTurn()
  }

  @inlinable
  package func seatReplaying(
    _ subscription: SubjectSubscription<Output, Failure>, _ replay: ((Output) -> Void) -> Void
  ) {
    let mustHandOver = lock.withLock { () -> Bool in
      replay { subscription.left.append(LeftValue($0, 0, isForAnother: false)) }
      subscription.seen.store(number, ordering: .relaxed)
      subscription.turn.begin(hasMail: !subscription.left.isEmpty, isOver: isOver)
      return !isOver && arrive(subscription)
    }
    if mustHandOver { handOver() }
  }
}

// MARK: Inside the drain loop

extension SubscriberList {
  @inlinable @inline(__always)
  func deliver(_ value: Output, _ number: UInt) {
    if keeps == .nothing { deliver(value) } else { deliverNumbered(value, number) }
  }

  /// Those that subscribe during a delivery do not receive its value; those that leave receive nothing more.
  @inlinable @inline(__always)
  func deliver(_ value: Output) {
    let count = places.count
    var index = 0
    while index < count {
      if let place = places[index] { Self.withSubscription(at: place) { $0.offer(value) } }
      index &+= 1
    }
  }

  /// No subscriber receives a value that is older than one it has.
  @inlinable @inline(__always)
  func deliverNumbered(_ value: Output, _ number: UInt) {
    let count = places.count
    var index = 0
    while index < count {
      if let place = places[index] {
        Self.withSubscription(at: place) { subscription in
          if subscription.turn.isOpen {
            guard subscription.seen.load(ordering: .relaxed) < number else { return }
            subscription.seen.store(number, ordering: .relaxed)
            _ = subscription.erased!.deliver(value)
          } else {
            subscription.offerInTurn(value, number)
          }
        }
      }
      index &+= 1
    }
  }

  /// Without a retain: a subscription is in the list, or retained until the delivery is over.
  @inlinable @inline(__always)
  static func withSubscription(
    at place: Unmanaged<AnySubjectSubscription>, _ body: (SubjectSubscription<Output, Failure>) -> Void
  ) {
    place._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: SubjectSubscription<Output, Failure>.self)) }
  }

  /// Notes that value number `number` is not requested. Returns the one before it, if that was not, either.
  func noteUnsent(_ value: Output, _ number: UInt) -> Output? {
    let (before, gone) = lock.withLock { () -> (Output?, Unsent<Output>?) in
      let last = unsent?.value
      if last?.number == number { return (last?.before, nil) }
      let before = last?.number == number - 1 ? last?.value : nil
      unsent = Box(Unsent(number: number, value: value, before: before))
      return (before, last)
    }
    withExtendedLifetime(gone) {}
    return before
  }
}

/// A value that a subscriber has not requested, and the one before it.
private struct Unsent<Output> {
  let number: UInt
  let value: Output
  let before: Output?
}

/// The right to send to a list. When its last owner releases it, the list releases its subscribers (law C21).
package final class Sender<Output, Failure: Error>: Sendable {
  package let subscribers: SubscriberList<Output, Failure>

  package init(to subscribers: SubscriberList<Output, Failure>) { self.subscribers = subscribers }

  deinit { subscribers.abandon() }
}
