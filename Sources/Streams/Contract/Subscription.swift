/// The tie between one subscriber and one publisher.
///
/// `request` and `cancel` may be called from any thread, and from inside `receive(_:)`.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Asks for `demand` more values. Demand adds up and is never taken back.
  func request(_ demand: Subscribers.Demand)

  // Not for users: the library provides it for every subscription. A cast of `any Subscription` to an object in its place takes
  // some 950 instructions, for each stage of each subscription.
  @_documentation(visibility: internal)
  var _held: any Subscription & AnyObject { get }
}

/// The namespace of ready-made subscriptions.
public enum Subscriptions {}

extension Subscriptions {
  /// A subscription that has nothing to give: requests and cancellation do nothing.
  public static var empty: any Subscription { EmptySubscription.shared }
}

final class EmptySubscription: Subscription, ReflectedByName, Sendable {
  static let shared = EmptySubscription()

  func request(_: Subscribers.Demand) {}
  func cancel() {}
  var description: String { "Empty" }
}

/// Whether `subscription` is that of a publisher that never sends.
@usableFromInline
func isEmpty(_ subscription: any Subscription) -> Bool { subscription is EmptySubscription }
