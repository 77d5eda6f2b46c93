/// Cancels its upstream on arrival, and finishes.
@usableFromInline
package final class CancelledOnArrival<Downstream: Subscriber>: Subscriber {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline let lifecycle = LifecycleState()
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
    guard lifecycle.close(), let downstream = downstream.take() else { return }
    ImmediateCompletion.send(completion, to: downstream)
  }
}

extension CancelledOnArrival: ReflectedByName {
  @usableFromInline package var description: String { "Output" }
}
