/// Drops the first values of its upstream, and requests them itself.
///
/// Downstream receives its subscription before upstream is subscribed to, as in Combine. Its demand waits for
/// upstream's subscription, and is then requested in one call together with the values to drop.
@usableFromInline
package final class SkipSubscription<Downstream: Subscriber>: SingleUpstreamSubscription, Subscriber {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  /// How many values are still to be dropped.
  @exclusivity(unchecked)  // by upstream's serial signals only
  @usableFromInline var left: Int
  /// The demand before upstream's subscription has arrived.
  @usableFromInline let early = DemandCounter()

  @inlinable
  package init(_ count: Int, to downstream: Downstream) {
    left = count
    super.init(UnsafeMutablePointer.allocate(initializing: PlainDownstream(downstream))) {
      $0.assumingMemoryBound(to: PlainDownstream<Downstream>.self).close()
    }
  }

  @inlinable @inline(__always)
  var box: UnsafeMutablePointer<PlainDownstream<Downstream>> {
    place.unsafelyUnwrapped.assumingMemoryBound(to: PlainDownstream<Downstream>.self)
  }

  @usableFromInline override var name: String { "Drop" }

  // MARK: Subscriber

  @usableFromInline @inline(never)
  package func receive(subscription: any Subscription) {
    if arrive(subscription) {
      let asked = early.take() + left
      if asked > .none { subscription.request(asked) }
    }
    leave()
  }

  @inlinable @inline(never)
  package func receive(_ input: Input) -> Subscribers.Demand {
    let isCovered = lifecycle.isCovered
    let more = lifecycle.enter(unless: isCovered) ? pass(input) : .none
    if !isCovered { leave() }
    return more
  }

  @inlinable @inline(__always)
  func pass(_ input: Input) -> Subscribers.Demand {
    if left == 0 { return box.pointee.deliver(input) }
    left &-= 1
    return .none
  }

  @usableFromInline @inline(never)
  package func receive(completion: Subscribers.Completion<Failure>) {
    if lifecycle.enter(), lifecycle.close(for: self) { box.pointee.complete(completion) }
    leave()
  }

  // MARK: Subscription

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    demand.requireSome(of: name)
    if !early.add(demand) { super.request(demand) }
  }
}
