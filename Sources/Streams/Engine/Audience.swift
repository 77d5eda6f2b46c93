/// One producer, many subscribers: who is here, in order of arrival, and how the stream ended.
///
/// Everything below the reception is touched by the thread inside it only.
@usableFromInline
package final class Audience<Output, Failure: Error>: @unchecked Sendable {  // see above
  @usableFromInline
  enum Event {
    case value(Output)
    case completion(Subscribers.Completion<Failure>)
    case join(Conduit<Output, Failure>)
    case leave(Conduit<Output, Failure>)
    case replay(Conduit<Output, Failure>)
    case abandon
  }

  @usableFromInline let reception = Reception<Event>()

  /// The subscribers, each retained by its place; a hole where one has left during a delivery.
  @exclusivity(unchecked)  // inside the reception only, as all that follows
  @usableFromInline var places: ContiguousArray<Unmanaged<Conduit<Output, Failure>>?> = []
  @exclusivity(unchecked)
  @usableFromInline var gaps = 0
  /// Those who have left, kept until no delivery can be on its way to them.
  @exclusivity(unchecked)
  @usableFromInline var departed: [Conduit<Output, Failure>] = []
  @exclusivity(unchecked)
  @usableFromInline var ending: Subscribers.Completion<Failure>?
  /// The value that newcomers get first, and its number; for audiences that replay.
  @exclusivity(unchecked)
  @usableFromInline var latest: Output?
  @exclusivity(unchecked)
  @usableFromInline var number: UInt = 0
  @usableFromInline let isReplaying: Bool

  /// How subscribers see the subscription: `print()` shows it.
  @usableFromInline let name: String
  @usableFromInline let zeroDemand: ZeroDemand
  /// Whether who asks for anything gets everything.
  @usableFromInline let takesRequestsAsUnlimited: Bool
  /// Called after a subscriber asked for values, outside the gate.
  @usableFromInline let onRequest: (() -> Void)?
  /// Called after a subscriber cancelled, or was let go of.
  @usableFromInline let onCancel: (() -> Void)?

  @inlinable
  package init(
    _ name: String, zeroDemand: ZeroDemand = .traps, takesRequestsAsUnlimited: Bool = false,
    replaying latest: Output? = nil,
    onRequest: (() -> Void)? = nil, onCancel: (() -> Void)? = nil
  ) {
    self.name = name
    self.zeroDemand = zeroDemand
    self.takesRequestsAsUnlimited = takesRequestsAsUnlimited
    self.onRequest = onRequest
    self.onCancel = onCancel
    self.latest = latest
    isReplaying = latest != nil
    number = isReplaying ? 1 : 0
  }

  deinit {
    for place in places { place?.release() }
  }

  // MARK: Producing

  @inlinable @inline(__always)
  package func send(_ value: Output) {
    switch reception.enter() {
    case .entered:
      deliver(value)
      serve()
    case .nested: deliver(value)
    case .busy: leaveBehind(.value(value))
    }
  }

  @usableFromInline
  package func send(completion: Subscribers.Completion<Failure>) { perform(.completion(completion)) }

  /// Lets every subscriber go without a word: nobody can send any more.
  @usableFromInline
  package func abandon() { perform(.abandon) }

  /// Takes `value`'s place in the order of deliveries. To be called where values are put in order, that is under
  /// a lock, and followed by ``carryOn(_:_:)`` when that lock is free again.
  @inlinable
  package func takePlace(for value: Output) -> Place {
    let entry = reception.enter()
    guard case .busy = entry else { return Place(entry: entry, isPosted: false) }
    return Place(entry: reception.leaveBehind(.value(value)) ? .entered : .busy, isPosted: true)
  }

  /// Delivers `value`, whose place is `place`, unless another thread does.
  @inlinable @inline(__always)
  package func carryOn(_ place: Place, _ value: Output) {
    if case .busy = place.entry { return }
    if !place.isPosted { deliver(value) }
    if case .entered = place.entry { serve() }
  }

  // MARK: Coming and going

  /// Seats `downstream` and hands it its subscription.
  @inlinable @inline(__always)
  package func admit<Downstream: Subscriber<Output, Failure>>(_ downstream: Downstream) {
    let conduit = Conduit(self, to: downstream)
    let entry = reception.gate.enter()
    if case .busy = entry {
      downstream.receive(subscription: conduit)
      return leaveBehind(.join(conduit))
    }
    if let ending {
      Farewell.say(ending, to: downstream)
    } else {
      seat(conduit)
      downstream.receive(subscription: conduit)
    }
    if case .entered = entry { serve() }
  }

  @usableFromInline
  func leave(_ conduit: Conduit<Output, Failure>) { perform(.leave(conduit)) }

  @usableFromInline
  func wasAsked(by conduit: Conduit<Output, Failure>) {
    onRequest?()
    if isReplaying { perform(.replay(conduit)) }
  }

  // MARK: Events

  /// Handles `event` now if this thread may, else leaves it for the one who is delivering.
  @usableFromInline
  func perform(_ event: Event) {
    reception.perform(event) {
      handle($0)
    } tidy: {
      tidyUp()
    }
  }

  @usableFromInline
  func leaveBehind(_ event: Event) {
    if reception.leaveBehind(event) { serve() }
  }

  @inlinable @inline(__always)
  func serve() {
    reception.serve {
      handle($0)
    } tidy: {
      if !departed.isEmpty { tidyUp() }
    }
  }

  @usableFromInline
  func handle(_ event: Event) {
    switch event {
    case .value(let value): deliver(value)
    case .completion(let completion): finish(completion)
    case .join(let conduit): join(conduit)
    case .leave(let conduit): unseat(conduit)
    case .replay(let conduit): replay(to: conduit)
    case .abandon: letGo()
    }
  }
}

// MARK: Inside the reception

extension Audience {
  /// Those who join during a delivery do not get its value; those who leave get nothing more.
  @inlinable @inline(__always)
  func deliver(_ value: Output) {
    if isReplaying { return deliverLatest(value) }
    let count = places.count
    var index = 0
    while index < count {
      if let place = places[index] { place._withUnsafeGuaranteedRef { $0.offer(value) } }
      index &+= 1
    }
  }

  /// Nobody gets a value that is older than one it has: the last value a subscriber sees is the last one sent.
  @inlinable
  func deliverLatest(_ value: Output) {
    if ending != nil { return }
    latest = value
    number += 1
    let mine = number
    let count = places.count
    var index = 0
    while index < count {
      if let place = places[index] {
        place._withUnsafeGuaranteedRef { conduit in
          guard conduit.seen < mine else { return }
          if conduit.tally.isUnlimited {
            conduit.seen = mine
            conduit.offer(value)
          } else {
            replay(to: conduit)
          }
        }
      }
      index &+= 1
    }
  }

  /// Gives `conduit` the latest value, if it wants one and has not seen it.
  @inlinable
  func replay(to conduit: Conduit<Output, Failure>) {
    while conduit.place != nil, conduit.seen < number, let latest, conduit.tally.spend() {
      conduit.seen = number
      let more = conduit.seat!.deliver(latest)
      if more > .none { conduit.tally.add(more) }
    }
  }

  @usableFromInline
  func finish(_ completion: Subscribers.Completion<Failure>) {
    guard ending == nil else { return }
    ending = completion
    let everyone = everyone()
    for conduit in everyone { unseat(conduit) }  // first: nobody gets what is sent on hearing of the end
    for conduit in everyone { conduit.finish(completion) }
  }

  func letGo() {
    for conduit in everyone() where conduit.tally.close() {
      unseat(conduit)
      onCancel?()
    }
  }

  @usableFromInline
  func join(_ conduit: Conduit<Output, Failure>) {
    seat(conduit)
    if let ending {
      conduit.finish(ending)
      unseat(conduit)
    } else if isReplaying {
      replay(to: conduit)
    }
  }

  @usableFromInline
  func seat(_ conduit: Conduit<Output, Failure>) {
    guard !conduit.tally.isClosed else { return departed.append(conduit) }
    conduit.place = places.count
    places.append(.passRetained(conduit))
  }

  @usableFromInline
  func unseat(_ conduit: Conduit<Output, Failure>) {
    departed.append(conduit)
    guard let place = conduit.place else { return }
    conduit.place = nil
    places[place]?.release()
    places[place] = nil
    gaps += 1
  }

  @usableFromInline
  func everyone() -> [Conduit<Output, Failure>] { places.compactMap { $0?.takeUnretainedValue() } }

  /// Runs when no delivery is under way: lets go of those who left, and closes the gaps once they are many.
  @usableFromInline
  func tidyUp() {
    while !departed.isEmpty {
      let gone = departed
      departed = []
      for conduit in gone { conduit.seat = nil }
    }
    guard gaps * 2 > places.count else { return }
    gaps = 0
    places.removeAll { $0 == nil }
    for (index, place) in places.enumerated() { place?._withUnsafeGuaranteedRef { $0.place = index } }
  }
}

extension Audience {
  /// Where a value stands in the order of deliveries.
  @frozen @usableFromInline
  package struct Place {
    @usableFromInline let entry: Gate.Entry
    /// Whether it is in the mailbox.
    @usableFromInline let isPosted: Bool

    @inlinable
    init(entry: Gate.Entry, isPosted: Bool) {
      self.entry = entry
      self.isPosted = isPosted
    }
  }
}
