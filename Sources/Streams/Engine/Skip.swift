/// Leaves out the first values of its upstream, and asks for them itself.
///
/// Downstream has its subscription before upstream is subscribed to, as in Combine. What it asks for until upstream
/// arrives is asked for in one request, together with the values to leave out.
@usableFromInline
package final class Skip<Downstream: Subscriber>: Station, Subscriber {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  /// How many values are still to be left out.
  @exclusivity(unchecked)  // by upstream's serial signals only
  @usableFromInline var left: Int
  /// What is asked for before upstream has arrived.
  @usableFromInline let early = Tally()

  @inlinable
  package init(_ count: Int, to downstream: Downstream) {
    left = count
    super.init(UnsafeMutablePointer.lodging(Exit(downstream))) {
      $0.assumingMemoryBound(to: Exit<Downstream>.self).close()
    }
  }

  @inlinable @inline(__always)
  var exit: UnsafeMutablePointer<Exit<Downstream>> {
    place.unsafelyUnwrapped.assumingMemoryBound(to: Exit<Downstream>.self)
  }

  @usableFromInline override var name: String { "Drop" }

  // MARK: Subscriber

  @usableFromInline @inline(never)
  package func receive(subscription: any Subscription) {
    if arriveLate(subscription) {
      let asked = early.take() + left
      if asked > .none { subscription.request(asked) }
    }
    leave()
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    let more = turnstile.enter() ? pass(input) : .none
    leave()
    return more
  }

  @inlinable @inline(__always)
  func pass(_ input: Input) -> Subscribers.Demand {
    if left == 0 { return exit.pointee.deliver(input) }
    left &-= 1
    return .none
  }

  @usableFromInline @inline(never)
  package func receive(completion: Subscribers.Completion<Failure>) {
    if turnstile.enter(), turnstile.close() { exit.pointee.complete(completion) }
    leave()
  }

  // MARK: Subscription

  @usableFromInline
  package override func request(_ demand: Subscribers.Demand) {
    demand.requireSome(of: name)
    if !early.add(demand) { super.request(demand) }
  }
}
