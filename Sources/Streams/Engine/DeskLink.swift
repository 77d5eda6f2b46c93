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

  /// Keeps the first subscription, and asks it for what it is to be asked for; cancels any other.
  @usableFromInline
  func arrive(with subscription: any Subscription, at desk: Bureau) {
    guard !desk.isOver, upstream.attach(subscription) else { return subscription.cancel() }
    switch desk.reception.enter() {
    case .entered:
      arrive()
      desk.serve()
    case .nested: arrive()
    case .busy: desk.run { self.arrive() }
    }
  }

  private func arrive() {
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
