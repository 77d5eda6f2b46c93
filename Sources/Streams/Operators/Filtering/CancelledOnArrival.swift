extension Publisher {
  /// Attaches a subscriber that cancels this on arrival, and finishes `downstream`.
  ///
  /// Not inlinable: the chain above would be specialised for this subscriber too, and twice as large with each level.
  @usableFromInline
  func cancelOnArrival<Downstream: Subscriber<Output, Failure>>(for downstream: Downstream) {
    attach(CancelledOnArrival(to: downstream))
  }
}

private final class CancelledOnArrival<Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  /// Taken by the first signal.
  private let downstream: Guarded<Downstream?>

  init(to downstream: Downstream) { self.downstream = Guarded(downstream) }

  func receive(subscription: any Subscription) {
    let downstream = take()  // first: what the cancellation sends is ignored (law H27)
    subscription.cancel()
    if let downstream { ImmediateCompletion.send(.finished, to: downstream) }
  }

  func receive(_: Input) -> Subscribers.Demand { .none }

  func receive(completion: Subscribers.Completion<Failure>) {
    if let downstream = take() { ImmediateCompletion.send(completion, to: downstream) }
  }

  private func take() -> Downstream? { downstream.withLock { $0.take() } }
}

extension CancelledOnArrival: ReflectedByName {
  var description: String { "Output" }
}
