extension Subscriptions {
  /// A subscription without values. Requests and cancellation have no effect.
  public static var empty: any Subscription { EmptySubscription.shared }
}

package final class EmptySubscription: Subscription, ReflectedByName, Sendable {
  package static let shared = EmptySubscription()

  package func request(_: Subscribers.Demand) {}
  package func cancel() {}
  package var description: String { "Empty" }
}

/// Whether `subscription` is that of a publisher that never sends.
@usableFromInline
func isEmpty(_ subscription: any Subscription) -> Bool { subscription.unwrapped is EmptySubscription }
