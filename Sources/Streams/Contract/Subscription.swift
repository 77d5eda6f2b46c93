/// The connection of one subscriber to one publisher.
///
/// You can call `request` and `cancel` from any thread, and from inside `receive(_:)`.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Requests `demand` more values. Demand adds up and cannot be withdrawn.
  func request(_ demand: Subscribers.Demand)

  // Not for users: the library provides it for every subscription. A cast of `any Subscription` to an object in its place takes
  // some 950 instructions, for each stage of each subscription.
  @_documentation(visibility: internal)
  var _held: any Subscription & AnyObject { get }
}

/// A namespace for subscriptions.
public enum Subscriptions {}

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
func isEmpty(_ subscription: any Subscription) -> Bool { subscription is EmptySubscription }
