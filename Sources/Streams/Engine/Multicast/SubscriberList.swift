internal import CThreads
public import Synchronization

/// One producer, many subscribers: delivers values in order, and stores the completion for those to come.
///
/// Everything below is touched inside the drain loop only.
@usableFromInline
package final class SubscriberList<Output, Failure: Error>: AnySubscriberList, @unchecked Sendable {  // as its superclass
  @exclusivity(unchecked)
  @usableFromInline var ending: Subscribers.Completion<Failure>?
  /// The value that new subscribers receive first, and its number; for lists that replay.
  @exclusivity(unchecked)
  @usableFromInline var latest: Output?
  @exclusivity(unchecked)
  @usableFromInline var number: UInt
  @usableFromInline let isReplaying: Bool
  /// The last value that was not requested, while drops are reported.
  @exclusivity(unchecked)
  private var unsent: Unsent<Output>?

  @inlinable
  package init(
    _ name: String, zeroDemand: ZeroDemand = .traps, takesRequestsAsUnlimited: Bool = false,
    replaying latest: Output? = nil,
    onRequest: (() -> Void)? = nil, onCancel: (() -> Void)? = nil
  ) {
    self.latest = latest
    isReplaying = latest != nil
    number = isReplaying ? 1 : 0
    super.init(
      name, zeroDemand: zeroDemand, takesRequestsAsUnlimited: takesRequestsAsUnlimited,
      onRequest: onRequest, onCancel: onCancel,
      replay: latest == nil
        ? nil
        : { list, subscription in
          unsafeDowncast(list, to: SubscriberList.self).didRequest(
            unsafeDowncast(subscription, to: SubjectSubscription<Output, Failure>.self))
        })
  }

  @usableFromInline
  override func releaseValues() {
    let gone = (latest.take(), unsent.take())  // their deinits may call back
    withExtendedLifetime(gone) {}
  }

  // MARK: Producing

  @inlinable @inline(never)
  package func send(_ value: Output) {
    switch drainLoop.enter() {
    case .entered:
      deliver(value)
      leave()
    case .nested: deliver(value)
    case .busy: if enqueue(value) { drainAndLeave() } else { drainLoop.waitForRoom() }
    }
  }

  /// Sends `value` on this thread. If another one is inside, or its values wait, calls `postpone` elsewhere, which has
  /// `value` sent again.
  package func send(_ value: Output, ifBusy postpone: @escaping () -> Void) {
    if trySend(value) { return }
    if drainLoop.enqueue({ DrainThreads.runOrCall(postpone) }) { drainAndLeave() }
  }

  /// Sends `value`, unless another thread is inside or its values wait. False if it was not sent.
  @inlinable
  package func trySend(_ value: Output) -> Bool {
    guard let position = tryReservePosition() else { return false }
    deliver(value)
    if position == .first { leave() }
    return true
  }

  @inlinable
  package func send(completion: Subscribers.Completion<Failure>) { perform { self.finish(completion) } }

  /// Reserves the position of `value` in the order of deliveries. To be called where values are put in order, that is
  /// under a lock, and followed by ``finishDelivery(_:_:)`` when that lock is free again. For lists that replay.
  @inlinable @inline(__always)
  package func reservePosition(for value: Output) -> Position {
    switch drainLoop.enter() {
    case .entered: .first
    case .nested: .nested
    case .busy: enqueue(value) ? .posted : .others
    }
  }

  /// The same for a value that is delivered by the caller or not at all: `nil` if another thread would deliver it.
  @inlinable
  package func tryReservePosition() -> Position? {
    switch drainLoop.enter() {
    case .entered: .first
    case .nested: .nested
    case .busy: nil
    }
  }

  /// Delivers `value`, whose position is `position`, unless another thread does.
  @inlinable @inline(__always)
  package func finishDelivery(_ position: Position, _ value: Output) {
    if position == .others { return drainLoop.waitForRoom() }
    if position != .posted { deliverLatest(value) }
    if position == .first { leave() }
    if position == .posted { drainAndLeave() }
  }

  /// Stores `value` for the thread inside. True if it has left: then the caller is inside.
  @usableFromInline @inline(never)
  func enqueue(_ value: Output) -> Bool { drainLoop.enqueue { self.deliver(value) } }

  // MARK: Subscribing

  /// Adds `downstream`, and sends it its subscription.
  @inlinable @inline(__always)
  package func add<Downstream: Subscriber<Output, Failure>>(_ downstream: Downstream) {
    let subscription = SubjectSubscription(self, to: downstream)
    population.wrappingAdd(1, ordering: .relaxed)
    let entry = drainLoop.gate.enter()
    if case .busy = entry {
      downstream.receive(subscription: subscription)
      return perform { self.join(subscription) }
    }
    if let ending {
      population.wrappingSubtract(1, ordering: .relaxed)
      ImmediateCompletion.send(ending, to: downstream)
    } else {
      insert(subscription)
      downstream.receive(subscription: subscription)
    }
    if case .entered = entry { leave() }
  }
}

// MARK: Inside the drain loop

extension SubscriberList {
  /// Those that subscribe during a delivery do not receive its value; those that leave receive nothing more.
  @inlinable @inline(__always)
  func deliver(_ value: Output) {
    if isReplaying { return deliverLatestApart(value) }
    let count = places.count
    var index = 0
    while index < count {
      if let place = places[index] { Self.withSubscription(at: place) { $0.offer(value) } }
      index &+= 1
    }
  }

  /// The same as a function of its own: where nothing is replayed, ``deliver(_:)`` does not contain it.
  @inlinable @inline(never)
  func deliverLatestApart(_ value: Output) { deliverLatest(value) }

  /// No subscriber receives a value that is older than one it has.
  @inlinable @inline(__always)
  func deliverLatest(_ value: Output) {
    if ending != nil { return }
    latest = value
    number &+= 1
    let mine = number
    let count = places.count
    var index = 0
    while index < count {
      if let place = places[index] {
        Self.withSubscription(at: place) { subscription in
          guard subscription.seen < mine else { return }
          if subscription.demandCounter.isUnlimited {
            subscription.seen = mine
            _ = subscription.erased!.deliver(value)
          } else {
            replayOrKeep(for: subscription)
          }
        }
      }
      index &+= 1
    }
  }

  /// Sends `subscription` the latest value. Without demand, the value before is dropped for it, and that is reported.
  @usableFromInline @inline(never)
  func replayOrKeep(for subscription: SubjectSubscription<Output, Failure>) {
    replay(to: subscription)
    guard cthreads_reports_drops() != 0, subscription.seen < number, let latest else { return }
    if unsent?.number != number {
      unsent = Unsent(
        number: number, value: latest, before: unsent?.number == number - 1 ? unsent?.value : nil)
    }
    guard subscription.seen < number - 1, let before = unsent?.before else { return }
    Drops.note(before, by: subscription, because: .superseded)
  }

  /// Without a retain: a subscription is in the list, or retained until the delivery is over.
  @inlinable @inline(__always)
  static func withSubscription(
    at place: Unmanaged<AnySubjectSubscription>, _ body: (SubjectSubscription<Output, Failure>) -> Void
  ) {
    place._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: SubjectSubscription<Output, Failure>.self)) }
  }

  @usableFromInline
  func didRequest(_ subscription: SubjectSubscription<Output, Failure>) {
    switch drainLoop.enter() {
    case .entered:
      replay(to: subscription)
      leave()
    case .nested: replay(to: subscription)
    case .busy: perform { self.replay(to: subscription) }
    }
  }

  /// Sends `subscription` the latest value, if that is requested and new to it.
  @usableFromInline @inline(never)
  func replay(to subscription: SubjectSubscription<Output, Failure>) {
    while subscription.place >= 0, subscription.seen < number, let latest, subscription.demandCounter.spend()
    {
      subscription.seen = number
      let more = subscription.erased!.deliver(latest)
      if more > .none { subscription.demandCounter.add(more) }
    }
  }

  @usableFromInline
  func finish(_ completion: Subscribers.Completion<Failure>) {
    guard ending == nil else { return }
    ending = completion
    let all = all
    for subscription in all { remove(subscription) }  // first: none receives what is sent on completion of another
    for subscription in all {
      unsafeDowncast(subscription, to: SubjectSubscription<Output, Failure>.self).finish(completion)
    }
    if isReplaying { releaseValues() }
  }

  @usableFromInline
  func join(_ subscription: SubjectSubscription<Output, Failure>) {
    insert(subscription)
    if let ending {
      subscription.finish(ending)
      remove(subscription)
    } else if isReplaying {
      replay(to: subscription)
    }
  }
}

/// A value that a subscriber has not requested, and the one before it.
private final class Unsent<Output> {
  let number: UInt
  let value: Output
  let before: Output?

  init(number: UInt, value: Output, before: Output?) {
    self.number = number
    self.value = value
    self.before = before
  }
}

extension SubscriberList {
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
}

/// The right to send to a list. When its last owner releases it, the list releases its subscribers (law C21).
package final class Sender<Output, Failure: Error>: Sendable {
  package let subscribers: SubscriberList<Output, Failure>

  package init(to subscribers: SubscriberList<Output, Failure>) { self.subscribers = subscribers }

  deinit { subscribers.abandon() }
}
