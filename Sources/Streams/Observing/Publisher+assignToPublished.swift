extension Publisher where Failure == Never {
  /// Assigns each value to a ``Published`` property.
  ///
  /// The subscription lives as long as the property: there is nothing to keep, and no cycle. The end of this
  /// publisher is ignored.
  ///
  /// `isolation` is where the property belongs: where the call is written, unless said otherwise. There the assignment
  /// is made, as ``IsolationPolicy/standard`` says.
  public func assign(
    to published: inout Published<Output>.Publisher, isolation: (any Actor)? = #isolation
  ) {
    let assignment = PublishedAssignment(published.storage, isolation)
    published.storage.keep(assignment)
    subscribe(assignment)
  }
}

/// Brings a publisher's values into a ``Published`` property, which it does not keep alive.
final class PublishedAssignment<Value>: Subscriber, Cancellable {
  typealias Failure = Never

  private weak let storage: PublishedStorage<Value>?
  private let link = UpstreamLink()
  private let assign: (Value) -> Void
  private let onCancel: (() -> Void)?

  init(_ storage: PublishedStorage<Value>, _ isolation: (any Actor)?) {
    self.storage = storage
    (assign, onCancel) = IsolationPolicy.standard.route(to: isolation) { [weak storage] in storage?.set($0) }
  }

  func receive(subscription: any Subscription) {
    guard link.attach(subscription) else { return subscription.cancel() }
    subscription.request(.unlimited)
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    if link.isLive { assign(input) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    link.end()
    storage?.forget(self)
  }

  func cancel() {
    link.cancel()
    onCancel?()
  }
}
