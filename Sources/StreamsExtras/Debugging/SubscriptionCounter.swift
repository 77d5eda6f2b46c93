/// Counts the open subscriptions: begun while the counter is enabled, and neither ended nor cancelled.
///
/// ```swift
/// let counter = SubscriptionCounter()
/// counter.enable()
/// let sink = subject.sink { _ in }
/// print(counter.open)  // 1
/// ```
///
/// A test that ends with open subscriptions has leaked a stream. Each connection of a chain counts.
public final class SubscriptionCounter: _Introspection, Sendable {
  private struct State {
    var open: [CombineIdentifier: Int] = [:]
    var ofSubscriber: [CombineIdentifier: CombineIdentifier] = [:]
    var total = 0
  }

  private let state = Guarded(State())

  /// Creates a counter, which counts once it is enabled.
  public init() {}

  /// The number of open subscriptions.
  public var open: Int { state.withLock { $0.open.values.reduce(0, +) } }

  /// The number of all subscriptions so far.
  public var total: Int { state.withLock { $0.total } }

  public func didReceive<S: Subscriber>(subscriber: S, subscription: any Subscription) {
    state.withLock { state in
      state.open[subscription.combineIdentifier, default: 0] += 1
      state.ofSubscriber[subscriber.combineIdentifier] = subscription.combineIdentifier
      state.total += 1
    }
  }

  public func didReceive<S: Subscriber>(subscriber: S, completion _: Subscribers.Completion<S.Failure>) {
    state.withLock { state in
      if let gone = state.ofSubscriber[subscriber.combineIdentifier] { state.open[gone] = nil }
    }
  }

  public func didCancel(subscription: any Subscription) {
    state.withLock { $0.open[subscription.combineIdentifier] = nil }
  }
}
