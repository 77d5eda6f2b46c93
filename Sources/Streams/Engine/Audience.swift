public import Synchronization

/// One producer, many subscribers: what they are told, and how the stream ended.
///
/// Everything below is touched by the thread inside the gate only.
@usableFromInline
package final class Audience<Output, Failure: Error>: Roster, @unchecked Sendable {  // as its superclass
  @usableFromInline
  enum Event {
    case value(Output)
    case completion(Subscribers.Completion<Failure>)
    case join(Conduit<Output, Failure>)
    case replay(Conduit<Output, Failure>)
  }

  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var mailbox = Fifo<Event>()
  @exclusivity(unchecked)  // inside the gate only, as all that follows
  @usableFromInline var ending: Subscribers.Completion<Failure>?
  /// The value that newcomers get first, and its number; for audiences that replay.
  @exclusivity(unchecked)
  @usableFromInline var latest: Output?
  @exclusivity(unchecked)
  @usableFromInline var number: UInt
  @usableFromInline let isReplaying: Bool

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
      serveMail: { roster in unsafeDowncast(roster, to: Audience<Output, Failure>.self).serve() },
      replay: latest == nil
        ? nil
        : { roster, member in
          unsafeDowncast(roster, to: Audience<Output, Failure>.self).perform(
            .replay(unsafeDowncast(member, to: Conduit<Output, Failure>.self)))
        })
  }

  // MARK: Producing

  @inlinable @inline(never)
  package func send(_ value: Output) {
    switch enter() {
    case .entered:
      deliver(value)
      goOut()
    case .nested: deliver(value)
    case .busy: leaveBehind(.value(value))
    }
  }

  @inlinable
  package func send(completion: Subscribers.Completion<Failure>) { perform(.completion(completion)) }

  /// Takes `value`'s place in the order of deliveries. To be called where values are put in order, that is under
  /// a lock, and followed by ``carryOn(_:_:)`` when that lock is free again. For audiences that replay.
  @inlinable @inline(__always)
  package func takePlace(for value: Output) -> Place {
    switch enter() {
    case .entered: .first
    case .nested: .nested
    case .busy: post(.value(value)) ? .posted : .others
    }
  }

  /// Delivers `value`, whose place is `place`, unless another thread does.
  @inlinable @inline(__always)
  package func carryOn(_ place: Place, _ value: Output) {
    if place == .others { return }
    if place != .posted { deliverLatest(value) }
    if place == .first { goOut() }
    if place == .posted { serve() }
  }

  // MARK: Coming

  /// Seats `downstream` and hands it its subscription.
  @inlinable @inline(__always)
  package func admit<Downstream: Subscriber<Output, Failure>>(_ downstream: Downstream) {
    let conduit = Conduit(self, to: downstream)
    population.wrappingAdd(1, ordering: .relaxed)
    let entry = gate.enter()
    if case .busy = entry {
      downstream.receive(subscription: conduit)
      return leaveBehind(.join(conduit))
    }
    if let ending {
      population.wrappingSubtract(1, ordering: .relaxed)
      Farewell.say(ending, to: downstream)
    } else {
      seat(conduit)
      downstream.receive(subscription: conduit)
    }
    if case .entered = entry { goOut() }
  }

  // MARK: Events

  /// For who may deliver at once: unless busy. The thread inside is busy, too, while there is mail: what came before
  /// is handled before what comes now. Who has entered must ``goOut()``.
  @inlinable @inline(__always)
  func enter() -> Gate.Entry {
    let entry = gate.enter()
    return entry == .nested && hasMail.load(ordering: .acquiring) ? .busy : entry
  }

  /// Handles `event` now if this thread may, else leaves it for the one who is delivering.
  @usableFromInline @inline(never)
  func perform(_ event: Event) {
    switch enter() {
    case .entered:
      handle(event)
      goOut()
    case .nested: handle(event)
    case .busy: leaveBehind(event)
    }
  }

  @usableFromInline @inline(never)
  func leaveBehind(_ event: Event) {
    if post(event) { serve() }
  }

  /// Leaves `event` for the thread inside. True if there is none any more: then the caller is, and must ``serve()``.
  @usableFromInline @inline(never)
  func post(_ event: Event) -> Bool {
    lock.withLock {
      mailbox.append(event)
      hasMail.store(true, ordering: .releasing)
    }
    return gate.knock()
  }

  /// Handles what was left behind, tidies up, and goes out; again, if somebody has come meanwhile.
  @usableFromInline @inline(never)
  func serve() {
    repeat {
      while hasMail.load(ordering: .acquiring), let event = next() { handle(event) }
      tidyUp()
    } while !gate.leave()
  }

  private func next() -> Event? {
    lock.withLock {
      let event = mailbox.popFirst()
      if mailbox.isEmpty { hasMail.store(false, ordering: .releasing) }
      return event
    }
  }

  private func handle(_ event: Event) {
    switch event {
    case .value(let value): deliver(value)
    case .completion(let completion): finish(completion)
    case .join(let conduit): join(conduit)
    case .replay(let conduit): replay(to: conduit)
    }
  }
}

// MARK: Inside the gate

extension Audience {
  /// Those who join during a delivery do not get its value; those who leave get nothing more.
  @inlinable @inline(__always)
  func deliver(_ value: Output) {
    if isReplaying { return deliverLatestApart(value) }
    let count = places.count
    var index = 0
    while index < count {
      if let place = places[index] { Self.conduit(place) { $0.offer(value) } }
      index &+= 1
    }
  }

  /// The same as a function of its own: where nothing is replayed, ``deliver(_:)`` does not carry it along.
  @inlinable @inline(never)
  func deliverLatestApart(_ value: Output) { deliverLatest(value) }

  /// Nobody gets a value that is older than one it has: the last value a subscriber sees is the last one sent.
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
        Self.conduit(place) { conduit in
          guard conduit.seen < mine else { return }
          if conduit.tally.isUnlimited {
            conduit.seen = mine
            _ = conduit.seat!.deliver(value)
          } else {
            replay(to: conduit)
          }
        }
      }
      index &+= 1
    }
  }

  /// Calls `body` with who has `place`, without a retain: it is on the list, or kept until the delivery is over.
  @inlinable @inline(__always)
  static func conduit(_ place: Unmanaged<Member>, _ body: (Conduit<Output, Failure>) -> Void) {
    place._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Conduit<Output, Failure>.self)) }
  }

  /// Gives `conduit` the latest value, if it wants one and has not seen it.
  @usableFromInline @inline(never)
  func replay(to conduit: Conduit<Output, Failure>) {
    while conduit.place >= 0, conduit.seen < number, let latest, conduit.tally.spend() {
      conduit.seen = number
      let more = conduit.seat!.deliver(latest)
      if more > .none { conduit.tally.add(more) }
    }
  }

  private func finish(_ completion: Subscribers.Completion<Failure>) {
    guard ending == nil else { return }
    ending = completion
    let everyone = everyone
    for member in everyone { unseat(member) }  // first: nobody gets what is sent on hearing of the end
    for member in everyone { unsafeDowncast(member, to: Conduit<Output, Failure>.self).finish(completion) }
  }

  private func join(_ conduit: Conduit<Output, Failure>) {
    seat(conduit)
    if let ending {
      conduit.finish(ending)
      unseat(conduit)
    } else if isReplaying {
      replay(to: conduit)
    }
  }
}

extension Audience {
  /// Where a value stands in the order of deliveries.
  @frozen @usableFromInline
  package enum Place {
    /// Nobody is inside but the caller.
    case first
    /// Within a delivery of the caller's own.
    case nested
    /// In the mailbox, and the caller is inside.
    case posted
    /// In the mailbox of the thread inside.
    case others
  }
}
