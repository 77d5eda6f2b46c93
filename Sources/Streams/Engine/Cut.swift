/// Wants nothing of its upstream: cancels it on arrival, and finishes.
@usableFromInline
package final class Cut<Downstream: Subscriber>: Subscriber {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline let turnstile = Turnstile()
  @exclusivity(unchecked)  // taken by the first signal
  @usableFromInline var downstream: Downstream?

  @inlinable
  package init(to downstream: Downstream) { self.downstream = downstream }

  @inlinable
  package func receive(subscription: any Subscription) {
    subscription.cancel()
    end(.finished)
  }

  @inlinable
  package func receive(_: Input) -> Subscribers.Demand { .none }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) { end(completion) }

  @inlinable
  func end(_ completion: Subscribers.Completion<Failure>) {
    guard turnstile.close(), let downstream = downstream.take() else { return }
    Farewell.say(completion, to: downstream)
  }
}

extension Cut: ReflectedByName {
  @usableFromInline package var description: String { "Output" }
}
