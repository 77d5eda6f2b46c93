public import Synchronization

/// The subscription of a stream that has ended already: the completion follows at once, unless it is cancelled on arrival
/// (law C14).
@usableFromInline
package final class ImmediateCompletion: Subscription {
  @usableFromInline let isCancelled = Atomic(false)

  @inlinable
  init() {}

  /// Sends `downstream` a subscription, and then `completion`.
  @inlinable
  package static func send<Downstream: Subscriber>(
    _ completion: Subscribers.Completion<Downstream.Failure>, to downstream: Downstream
  ) {
    let subscription = ImmediateCompletion()
    downstream.receive(subscription: subscription)
    guard !subscription.isCancelled.load(ordering: .relaxed) else { return }
    downstream.receive(completion: completion)
  }

  @usableFromInline package func request(_: Subscribers.Demand) {}
  @usableFromInline package func cancel() { isCancelled.store(true, ordering: .relaxed) }
}

extension ImmediateCompletion: ReflectedByName {
  @usableFromInline package var description: String { "Empty" }
}

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
