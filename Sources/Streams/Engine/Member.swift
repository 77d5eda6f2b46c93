/// One who is on a ``Roster``: what it asked for, and where it stands.
///
/// The part of a ``Conduit`` that needs no types: asking and cancelling come through `any Subscription`, where code
/// with type parameters runs unspecialised and looks each type up.
@usableFromInline
// Sendable: `tally` is atomic, `roster` constant, and the rest is touched inside the roster's gate only.
package class Member: Subscription, @unchecked Sendable {
  @usableFromInline final let roster: Roster
  @usableFromInline final let tally = Tally()
  /// Which of the audience's values this has seen; for audiences that replay.
  @exclusivity(unchecked)  // inside the gate only
  @usableFromInline final var seen: UInt = 0
  /// Where this is on the list; less than zero when it is not.
  @exclusivity(unchecked)  // inside the gate only
  @usableFromInline final var place = -1

  @inlinable
  init(_ roster: Roster) { self.roster = roster }

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) {
    if roster.zeroDemand == .traps { demand.requireSome(of: roster.name) }
    let demand = roster.takesRequestsAsUnlimited ? .unlimited : demand
    if demand > .none, tally.add(demand) { roster.wasAsked(by: self) }
  }

  @usableFromInline
  package final func cancel() {
    guard tally.close() else { return }
    roster.leave(self)
    roster.onCancel?()
  }

  /// Lets go of the downstream. Called where no delivery can be on its way to it.
  @usableFromInline
  func vacate() {}

  /// Where this leads; `nil` if it is over. Inside the gate only.
  var downstream: Any? { nil }
}

extension Member: ReflectedByName {
  @usableFromInline package final var description: String { roster.name }

  @usableFromInline package final var reflectedChildren: [Mirror.Child] {
    let downstream = tally.isClosed ? nil : roster.downstream(of: self)
    let parent = tally.isClosed ? nil : roster
    return [
      ("parent", parent as Any), ("downstream", downstream as Any), ("demand", tally.outstanding),
      ("subject", parent as Any),
    ]
  }
}
