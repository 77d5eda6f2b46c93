public import Synchronization

/// The part of a ``SubscriberList`` that needs no types: subscribers in order of arrival, and the thread that
/// delivers.
///
/// State that is neither atomic nor constant is accessed inside the drain loop only, or under the lock.
///
/// The order of values, subscriptions and the completion is decided under the lock: there, each of them enters the gate, or is left in
/// the mailbox. Whoever subscribes or cancels is inside only while it holds the lock. So nothing is left for such a thread,
/// which may hold locks of its own, and it delivers nothing.
@usableFromInline
package class AnySubscriberList: DrainLoopOwner, @unchecked Sendable {  // see above
  @usableFromInline final let drainLoop = DrainLoop<() -> Void>()
  @usableFromInline package final let lock = Lock()
  /// Whether the completion was sent.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline final var isOver = false
  /// For other modules: the attribute of a stored property does not hold there, and each access would be checked.
  @inlinable package final var hasEnded: Bool { isOver }
  @usableFromInline final let keeps: KeptValues
  @usableFromInline final let zeroDemand: ZeroDemand
  /// Whether any request counts as one for everything.
  @usableFromInline final let takesRequestsAsUnlimited: Bool

  /// How many have subscribed and not left. Counted before they are inside the drain loop: a sender that sees none may
  /// drop its value.
  @usableFromInline final let population = Atomic(0)

  /// The subscribers, each retained by its place; `nil` where one has left. Each retains the list: none is left at its end.
  @exclusivity(unchecked)
  @usableFromInline final var places: ContiguousArray<Unmanaged<AnySubjectSubscription>?> = []
  /// Subscribers that have left. They are retained until no delivery can reach them.
  @exclusivity(unchecked)
  private final var removed: [AnySubjectSubscription] = []
  /// How many places are `nil`. Small, as what follows is: so they share a word.
  @exclusivity(unchecked)
  private final var gaps: Int32 = 0
  @exclusivity(unchecked)
  @usableFromInline final var hasRemoved = false

  /// Whether everything is requested of what the subject is fed from. Written under the lock; once set, it stays so.
  final let isRequested: Atomic<Bool>
  @exclusivity(unchecked)
  final var feeds: Feeds?

  /// How subscribers see the subscription: `print()` shows it.
  @usableFromInline final let name: String
  /// The connection that the subscribers share.
  private final let connection: SharedConnection?
  /// Delivers to the holder of the turn the newest value, or one that was left: ``SubjectSubscription/deliverKept(newest:)``.
  /// Formed where the types are known: a method of a class with type parameters is not specialised when it is called from here.
  @usableFromInline final let deliverKept: (AnySubjectSubscription, _ newest: Bool) -> Bool

  @usableFromInline
  init(
    _ name: String, keeping keeps: KeptValues, zeroDemand: ZeroDemand, takesRequestsAsUnlimited: Bool,
    connection: SharedConnection?,
    deliverKept: @escaping (AnySubjectSubscription, _ newest: Bool) -> Bool
  ) {
    self.name = name
    self.keeps = keeps
    self.zeroDemand = zeroDemand
    self.takesRequestsAsUnlimited = takesRequestsAsUnlimited
    self.connection = connection
    self.deliverKept = deliverKept
    isRequested = Atomic(keeps != .nothing)
  }

  // MARK: The drain loop

  /// Takes the next position in the order of deliveries. Under the lock. `event` is left for another thread, if one is inside.
  @inlinable @inline(__always)
  final func reserve(orLeave event: () -> () -> Void) -> Position {
    switch drainLoop.enterInOrder() {
    case .entered: return .first
    case .nested where keeps != .all: return .nested
    default: return drainLoop.enqueue(event()) ? .posted : .others
    }
  }

  /// Runs `action` inside the drain loop: at once, or by the thread that is inside.
  @usableFromInline
  final func perform(_ action: @escaping () -> Void) {
    finish(lock.withLock { reserve { action } }, action)
  }

  /// Handles what has `position`, unless another thread does.
  @inlinable @inline(__always)
  final func finish(_ position: Position, _ action: () -> Void) {
    switch position {
    case .first, .nested:
      action()
      if case .first = position { leave() }
    case .posted: drainAndLeave()
    case .others: drainLoop.waitForRoom()
    }
  }

  /// Leaves the drain loop after ``DrainLoop/enter()``. Mostly there is no mail, and no subscriber has left.
  @inlinable @inline(__always)
  final func leave() {
    if hasRemoved || !drainLoop.leave() { drainAndLeave() }
  }

  /// Handles the mail, releases subscribers that have left, and leaves: after an event was enqueued, too. Not specialised for
  /// each chain.
  @usableFromInline @inline(never)
  final func drainAndLeave() {
    drainLoop.releaseWaiting()  // the notification may have been for that
    drainLoop.drainAndLeave(for: self)
  }

  @usableFromInline
  package final func resume() { drainLoop.resume(for: self) }

  @usableFromInline
  package final func handle(_ action: () -> Void) { action() }

  // MARK: Coming and going

  /// Whether a value that is sent now may reach a subscriber.
  @inlinable @inline(__always)
  package final var hasListeners: Bool {
    hasSubscribers || drainLoop.hasMail.load(ordering: .relaxed)
  }

  /// Whether there is a subscriber that has not left.
  @inlinable @inline(__always)
  package final var hasSubscribers: Bool { population.load(ordering: .relaxed) != 0 }

  /// Takes in a subscriber whose turn the caller holds. False if the list is over.
  @usableFromInline
  final func seat(_ subscription: AnySubjectSubscription) -> Bool {
    lock.take()
    let isOver = isOver
    let mustHandOver = !isOver && arrive(subscription)
    lock.give()
    if mustHandOver { handOver() }
    return !isOver
  }

  /// Takes in a subscriber, or has that done by the thread inside. Under the lock.
  ///
  /// - Returns: True if the caller must call ``handOver()``, without the lock.
  @usableFromInline
  final func arrive(_ subscription: AnySubjectSubscription) -> Bool {
    population.wrappingAdd(1, ordering: .relaxed)
    switch drainLoop.enter() {
    case .nested:
      insert(subscription)
      return false
    case .busy:
      guard drainLoop.enqueue({ self.insert(subscription) }) else { return false }
      let waiting = drainLoop.takeBack()
      guard waiting == 1 else { return waiting > 1 || !drainLoop.leave() }
      fallthrough
    case .entered:
      insert(subscription)
      return !drainLoop.leave()
    }
  }

  /// Removes a subscriber that has cancelled.
  @usableFromInline
  final func leave(_ subscription: AnySubjectSubscription) {
    let (entry, mustHandOver) = lock.withLock { () -> (SerialGate.Entry, Bool) in
      switch drainLoop.enter() {
      case .nested:
        remove(subscription)
        return (.nested, false)
      case .busy:
        guard drainLoop.enqueue({ self.remove(subscription) }) else { return (.busy, false) }
        let waiting = drainLoop.takeBack()
        guard waiting == 1 else { return (.busy, waiting > 1 || !drainLoop.leave()) }
        fallthrough
      case .entered:
        clearPlace(of: subscription)
        closeGaps()
        return (.entered, !drainLoop.leave())
      }
    }
    if mustHandOver { handOver() }
    if entry == .entered { subscription.releaseDownstream() }
  }

  /// A subscriber has requested values. Called outside the drain loop.
  @usableFromInline
  final func subscriberDidRequest() {
    connection?.subscriberDidRequest()
    if !isRequested.load(ordering: .relaxed) { requestFeeds() }
  }

  /// A subscriber has cancelled.
  @usableFromInline
  final func subscriberDidLeave(_ subscription: AnySubjectSubscription) {
    leave(subscription)
    connection?.leave()
  }

  /// Leaves the gate to another thread: what is to be done inside is no matter of the caller's.
  @usableFromInline
  final func handOver() {
    if !drainLoop.handOver({ self.resume() }) { drainAndLeave() }
  }

  /// Releases all subscribers without a completion, because no more signals can arrive. One that has not received all of what was
  /// sent stays.
  @usableFromInline
  package final func abandon() {
    perform { [self] in
      for subscription in all where subscription.turn.state.hasMail || subscription.close() {
        remove(subscription)
        connection?.leave()
      }
      releaseValues()
    }
  }

  /// Releases the values of a list that replays, which can reach nobody any more. Inside the drain loop only.
  @usableFromInline
  func releaseValues() {}
}

/// The position of a value in the order of deliveries.
@frozen @usableFromInline
package enum Position {
  /// The caller is inside the drain loop, and no other.
  case first
  /// Within a delivery of the caller's own.
  case nested
  /// In the mailbox, and the caller is inside.
  case posted
  /// In the mailbox of the thread inside.
  case others
}

/// The position of a value, and its number: values with a higher one are newer.
@frozen @usableFromInline
package struct Reservation {
  @usableFromInline let position: Position
  @usableFromInline let number: UInt

  @inlinable
  init(_ position: Position, _ number: UInt) {
    self.position = position
    self.number = number
  }
}

/// What a list of subscribers keeps of the values that are not requested.
@frozen @usableFromInline
package enum KeptValues {
  case nothing
  /// The newest value, which new subscribers receive, too.
  case latest
  case all
}

extension AnySubscriberList: ReflectedByName {
  @usableFromInline package final var description: String { name }

  /// For mirrors: `nil` while another thread is inside.
  final func downstream(of subscription: AnySubjectSubscription) -> Any? {
    let entry = drainLoop.enter()
    if entry == .busy { return nil }
    defer { if entry == .entered { leave() } }
    // Only inside can it become free to be released.
    let state = subscription.turn.state
    return state.isClosed || state.isGone ? nil : subscription.downstream
  }
}

// MARK: Inside the drain loop

extension AnySubscriberList {
  @usableFromInline
  final func insert(_ subscription: AnySubjectSubscription) {
    guard !subscription.turn.state.isClosed else {
      population.wrappingSubtract(1, ordering: .relaxed)
      return release(subscription)
    }
    subscription.place = places.count
    places.append(.passRetained(subscription))
  }

  @usableFromInline
  final func remove(_ subscription: AnySubjectSubscription) {
    release(subscription)
    clearPlace(of: subscription)
  }

  private final func release(_ subscription: AnySubjectSubscription) {
    removed.append(subscription)
    hasRemoved = true
  }

  @usableFromInline
  final var all: [AnySubjectSubscription] { places.compactMap { $0?.takeUnretainedValue() } }

  /// Whether a value that is delivered now would be left to another thread, which subscribes.
  @inlinable
  final var leavesToOthers: Bool {
    var index = 0
    while index < places.count {  // an iterator would retain the array
      if let place = places[index], place._withUnsafeGuaranteedRef({ !$0.turn.isOpen && $0.isWithAnother }) {
        return true
      }
      index &+= 1
    }
    return false
  }

  /// Completes all subscribers.
  @usableFromInline
  final func finishAll() {
    let all = all
    for subscription in all { remove(subscription) }  // first: none receives what is sent on completion of another
    for subscription in all { subscription.finish() }
  }

  /// Runs when no delivery is under way: releases those that have left, and closes gaps once they are many.
  @usableFromInline @inline(never)
  package final func cleanUp() {
    while hasRemoved {
      hasRemoved = false
      let removed = removed
      self.removed = []
      for subscription in removed { subscription.releaseDownstream() }
    }
    closeGaps()
  }

  private final func closeGaps() {
    while gaps > 0, places[places.count - 1] == nil {
      places.removeLast()
      gaps -= 1
    }
    guard Int(gaps) * 2 > places.count else { return }
    gaps = 0
    var kept = 0
    for index in 0..<places.count {
      guard let subscription = places[index] else { continue }
      subscription._withUnsafeGuaranteedRef { $0.place = kept }
      places[kept] = subscription
      kept += 1
    }
    places.removeLast(places.count - kept)
  }

  private final func clearPlace(of subscription: AnySubjectSubscription) {
    guard subscription.place >= 0 else { return }
    places[subscription.place]?.release()
    places[subscription.place] = nil
    subscription.place = -1
    gaps += 1
    population.wrappingSubtract(1, ordering: .relaxed)
  }
}
