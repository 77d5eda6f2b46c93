/// One subscriber of a ``SubscriberList``.
@usableFromInline
// Sendable: as its superclass.
package final class SubjectSubscription<Output, Failure: Error>: AnySubjectSubscription, @unchecked Sendable {
  @exclusivity(unchecked)  // inside the drain loop only
  @usableFromInline var erased: ErasedDownstream<Output, Failure>?

  @inlinable @inline(__always)
  package init<Downstream: Subscriber<Output, Failure>>(_ list: AnySubscriberList, to downstream: Downstream)
  {
    erased = ErasedDownstream(downstream)
    super.init(list)
  }

  @inlinable @inline(__always)
  func offer(_ value: Output) {
    if demandCounter.isUnlimited {
      _ = erased!.deliver(value)
    } else {
      offerWithinDemand(value)
    }
  }

  @inlinable
  func offerWithinDemand(_ value: Output) {
    guard demandCounter.spend() else { return drop(value) }
    let more = erased!.deliver(value)
    if more > .none { demandCounter.add(more) }
  }

  @inlinable
  func drop(_ value: Output) {
    if !demandCounter.isClosed { Drops.note(value, by: self, because: .noDemand) }
  }

  func finish(_ completion: Subscribers.Completion<Failure>) {
    if demandCounter.close() { erased!.complete(completion) }
  }

  @usableFromInline
  override func releaseDownstream() { erased = nil }

  override var downstream: Any? {
    switch erased {
    case .some(let erased): erased.downstream
    case .none: nil
    }
  }
}

/// A downstream as two closures, formed where its type is known.
///
/// Not copyable, so that it is called in place, without a retain for each value.
@frozen @usableFromInline
package struct ErasedDownstream<Output, Failure: Error>: ~Copyable {
  @usableFromInline let take: (Output) -> Subscribers.Demand
  /// Completes, or, without a completion, returns the downstream: for mirrors.
  @usableFromInline let end: (Subscribers.Completion<Failure>?) -> Any?

  @inlinable @inline(__always)
  package init<Downstream: Subscriber<Output, Failure>>(_ downstream: Downstream) {
    take = { downstream.receive($0) }
    end = { completion in
      guard let completion else { return downstream }
      downstream.receive(completion: completion)
      return nil
    }
  }

  @inlinable @inline(__always)
  package borrowing func deliver(_ value: Output) -> Subscribers.Demand { take(value) }

  @inlinable
  package borrowing func complete(_ completion: Subscribers.Completion<Failure>) { _ = end(completion) }

  var downstream: Any { end(nil) as Any }
}

/// The part of a ``SubjectSubscription`` that needs no types: demand, and its place in the list.
///
/// `request` and `cancel` are called through `any Subscription`, where code with type parameters looks each type up.
@usableFromInline
// Sendable: `demandCounter` is atomic, `list` constant, and the rest is touched inside the list's drain loop only.
package class AnySubjectSubscription: Subscription, @unchecked Sendable {
  @usableFromInline final let list: AnySubscriberList
  @usableFromInline final let demandCounter = DemandCounter()
  /// The number of the last value that was sent to this; for lists that replay.
  @exclusivity(unchecked)  // inside the drain loop only
  @usableFromInline final var seen: UInt = 0
  /// The place in the list; less than zero when it is not in there.
  @exclusivity(unchecked)  // inside the drain loop only
  @usableFromInline final var place = -1

  @inlinable
  init(_ list: AnySubscriberList) { self.list = list }

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) {
    if list.zeroDemand == .traps { demand.requireSome(of: list.name) }
    let demand = list.takesRequestsAsUnlimited ? .unlimited : demand
    if demand > .none, demandCounter.add(demand) { list.didRequest(by: self) }
  }

  @usableFromInline
  package final func cancel() {
    guard demandCounter.close() else { return }
    list.leave(self)
    list.onCancel?()
  }

  @usableFromInline
  package final var _gate: AnyObject? { list.drainLoop.gate }

  /// Releases the downstream. Called when no delivery can be on its way to it.
  @usableFromInline
  func releaseDownstream() {}

  /// For mirrors; `nil` if it is over. Inside the drain loop only.
  var downstream: Any? { nil }
}

extension AnySubjectSubscription: ReflectedByName {
  @usableFromInline package final var description: String { list.name }

  @usableFromInline package final var reflectedChildren: [Mirror.Child] {
    let downstream = demandCounter.isClosed ? nil : list.downstream(of: self)
    let parent = demandCounter.isClosed ? nil : list
    return [
      ("parent", parent as Any), ("downstream", downstream as Any), ("demand", demandCounter.outstanding),
      ("subject", parent as Any),
    ]
  }
}
