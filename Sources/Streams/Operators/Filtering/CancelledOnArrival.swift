/// Cancels its upstream on arrival, and finishes.
@usableFromInline
package final class CancelledOnArrival<Downstream: Subscriber>: Subscriber {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  /// Taken by the first signal.
  @usableFromInline let downstream: Guarded<Downstream?>

  @inlinable
  package init(to downstream: Downstream) { self.downstream = Guarded(downstream) }

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
    if let downstream = downstream.withLock({ $0.take() }) {
      ImmediateCompletion.send(completion, to: downstream)
    }
  }
}

extension CancelledOnArrival: ReflectedByName {
  @usableFromInline package var description: String { "Output" }
}
