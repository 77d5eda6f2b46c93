/// One subscriber of an ``Audience``: what it asked for, and the way to it.
@usableFromInline
// Sendable: `tally` is atomic, `audience` constant, and the rest is touched inside the audience's reception only.
package final class Conduit<Output, Failure: Error>: Subscription, @unchecked Sendable {
  @usableFromInline let audience: Audience<Output, Failure>
  @usableFromInline let tally = Tally()
  @exclusivity(unchecked)  // inside the reception only
  @usableFromInline var seat: Seat<Output, Failure>?
  /// Which of the audience's values this subscriber has seen; for audiences that replay.
  @exclusivity(unchecked)  // inside the reception only
  @usableFromInline var seen: UInt = 0
  /// Where this is on the audience's list.
  @exclusivity(unchecked)  // inside the reception only
  @usableFromInline var place: Int?

  @inlinable @inline(__always)
  package init<Downstream: Subscriber<Output, Failure>>(
    _ audience: Audience<Output, Failure>, to downstream: Downstream
  ) {
    self.audience = audience
    seat = Seat(downstream)
  }

  // MARK: Subscription

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    if audience.zeroDemand == .traps { demand.requireSome(of: audience.name) }
    let demand = audience.takesRequestsAsUnlimited ? .unlimited : demand
    guard demand > .none, tally.add(demand) else { return }
    audience.wasAsked(by: self)
  }

  @usableFromInline
  package func cancel() {
    guard tally.close() else { return }
    audience.leave(self)
    audience.onCancel?()
  }

  // MARK: Delivery, inside the reception

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

  @usableFromInline
  func finish(_ completion: Subscribers.Completion<Failure>) {
    if tally.close() { seat!.complete(completion) }
  }
}

extension Conduit: CustomStringConvertible {
  @usableFromInline package var description: String { audience.name }
}

/// The way to one downstream, as closures formed where its type is known.
///
/// Not copyable, so that it is called where it lies, without a retain for each value.
@frozen @usableFromInline
struct Seat<Output, Failure: Error>: ~Copyable {
  @usableFromInline let take: (Output) -> Subscribers.Demand
  @usableFromInline let end: (Subscribers.Completion<Failure>) -> Void

  @inlinable @inline(__always)
  init<Downstream: Subscriber<Output, Failure>>(_ downstream: Downstream) {
    take = { downstream.receive($0) }
    end = { downstream.receive(completion: $0) }
  }

  @inlinable @inline(__always)
  borrowing func deliver(_ value: Output) -> Subscribers.Demand { take(value) }

  @inlinable
  borrowing func complete(_ completion: Subscribers.Completion<Failure>) { end(completion) }
}
