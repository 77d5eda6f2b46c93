/// One subscriber of an ``Audience``: the way to it.
@usableFromInline
package final class Conduit<Output, Failure: Error>: Member, @unchecked Sendable {  // as its superclass
  @exclusivity(unchecked)  // inside the gate only
  @usableFromInline var seat: Seat<Output, Failure>?

  @inlinable @inline(__always)
  package init<Downstream: Subscriber<Output, Failure>>(_ roster: Roster, to downstream: Downstream) {
    seat = Seat(downstream)
    super.init(roster)
  }

  @inlinable @inline(__always)
  func offer(_ value: Output) {
    if tally.isUnlimited {
      _ = seat!.deliver(value)
    } else {
      offerWithinDemand(value)
    }
  }

  @inlinable
  func offerWithinDemand(_ value: Output) {
    guard tally.spend() else { return }
    let more = seat!.deliver(value)
    if more > .none { tally.add(more) }
  }

  func finish(_ completion: Subscribers.Completion<Failure>) {
    if tally.close() { seat!.complete(completion) }
  }

  @usableFromInline
  override func vacate() { seat = nil }

  override var downstream: Any? {
    switch seat {
    case .some(let seat): seat.downstream
    case .none: nil
    }
  }
}

/// The way to one downstream, as closures formed where its type is known.
///
/// Not copyable, so that it is called where it lies, without a retain for each value.
@frozen @usableFromInline
struct Seat<Output, Failure: Error>: ~Copyable {
  @usableFromInline let take: (Output) -> Subscribers.Demand
  /// Completes, or, without a completion, returns the downstream: for mirrors.
  @usableFromInline let end: (Subscribers.Completion<Failure>?) -> Any?

  @inlinable @inline(__always)
  init<Downstream: Subscriber<Output, Failure>>(_ downstream: Downstream) {
    take = { downstream.receive($0) }
    end = { completion in
      guard let completion else { return downstream }
      downstream.receive(completion: completion)
      return nil
    }
  }

  @inlinable @inline(__always)
  borrowing func deliver(_ value: Output) -> Subscribers.Demand { take(value) }

  @inlinable
  borrowing func complete(_ completion: Subscribers.Completion<Failure>) { _ = end(completion) }

  var downstream: Any { end(nil) as Any }
}
