/// One upstream's way into a ``Desk``.
@usableFromInline
final class DeskInlet<Input, Failure: Error, Downstream: Subscriber>: Subscriber {
  @usableFromInline let desk: Desk<Downstream>
  @usableFromInline let link: DeskLink
  @usableFromInline let take: (Input) -> Void
  @usableFromInline let ended: (Subscribers.Completion<Failure>) -> Void

  @inlinable
  init(
    _ desk: Desk<Downstream>, _ link: DeskLink, take: @escaping (Input) -> Void,
    ended: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.desk = desk
    self.link = link
    self.take = take
    self.ended = ended
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard !desk.isOver, link.upstream.attach(subscription) else { return subscription.cancel() }
    desk.run { self.link.arrive() }
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard link.upstream.isLive else { return .none }
    switch desk.reception.enter() {
    case .entered:
      let more = accept(input)
      desk.serve()
      return more
    case .nested: return accept(input)
    case .busy:
      leaveBehind(input)
      return .none
    }
  }

  @usableFromInline
  func leaveBehind(_ input: Input) {
    let isMine = desk.reception.leaveBehind(
      .signal {
        let more = self.accept(input)
        if more > .none { self.link.upstream.request(more) }
      })
    if isMine { desk.serve() }
  }

  /// Inside the reception. What the upstream is asked for meanwhile is the answer.
  @inlinable @inline(__always)
  func accept(_ input: Input) -> Subscribers.Demand {
    guard !desk.isOver, !link.isCut, link.spend() else { return .none }
    if link.owed == .max {
      take(input)
      return .none
    }
    let outer = link.answer
    link.answer = Subscribers.Demand.none
    take(input)
    if desk.lead === link { desk.askLead() }
    let more = link.answer ?? .none
    link.answer = outer
    return link.isCut || desk.isOver ? .none : more
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard link.upstream.endOnce() else { return }
    desk.run { [self] in
      desk.strikeOff(link)
      if desk.lead === link { desk.lead = nil }
      if !link.isCut, !desk.isEnding { ended(completion) }
    }
  }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { CombineIdentifier(link) }
}

/// The hold of a ``Desk`` on one upstream. It knows the upstream's subscription only, so that there is no cycle.
@usableFromInline
package final class DeskLink {
  @usableFromInline let upstream = UpstreamLink()
  /// Where this is among the links; `nil` when it is not, any more.
  @exclusivity(unchecked)  // under the desk's lock only
  @usableFromInline var place: Int?

  @exclusivity(unchecked)  // inside the desk's reception only, as all that follows
  private var hasArrived = false
  @exclusivity(unchecked)
  private var early = Subscribers.Demand.none
  /// How many values it was asked for and has not sent; `Int.max` for all.
  @exclusivity(unchecked)
  @usableFromInline package var owed = 0
  /// What it is asked for while a value of it is taken.
  @exclusivity(unchecked)
  @usableFromInline var answer: Subscribers.Demand?
  /// Whether it is one of many, each of which is asked for everything once downstream does so.
  @exclusivity(unchecked)
  @usableFromInline package var isChild = false
  /// Whether nobody listens to it any more.
  @exclusivity(unchecked)
  @usableFromInline package var isCut = false

  /// - Parameter demand: What it is asked for when it arrives.
  @usableFromInline
  package init(asking demand: Subscribers.Demand = .none) { request(demand) }

  /// Asks for `demand` values more.
  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    guard demand > .none, owed != .max else { return }
    let (sum, overflow) = owed.addingReportingOverflow(demand.max ?? .max)
    owed = overflow ? .max : sum
    ask(demand)
  }

  /// Asks for so many that it owes `demand`.
  @inlinable
  package func raise(to demand: Subscribers.Demand) {
    guard owed != .max else { return }
    guard let wanted = demand.max else { return request(.unlimited) }
    if wanted > owed { request(.max(wanted - owed)) }
  }

  @usableFromInline
  func ask(_ demand: Subscribers.Demand) {
    if !hasArrived {
      early += demand
    } else if let answer {
      self.answer = answer + demand
    } else {
      upstream.request(demand)
    }
  }

  @usableFromInline
  func arrive() {
    guard !hasArrived else { return }
    hasArrived = true
    if early > .none { upstream.request(early) }
  }

  @inlinable @inline(__always)
  func spend() -> Bool {
    if owed == .max { return true }
    guard owed > 0 else { return false }
    owed -= 1
    return true
  }

  @usableFromInline
  package func cut() {
    isCut = true
    upstream.cancel()
  }
}
