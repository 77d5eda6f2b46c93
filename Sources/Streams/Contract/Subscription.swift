/// The connection of one subscriber to one publisher.
///
/// You can call `request` and `cancel` from any thread, and from inside `receive(_:)`.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Requests `demand` more values. Demand adds up and cannot be withdrawn.
  func request(_ demand: Subscribers.Demand)

  // Not for users: the library provides it for every subscription. A cast of `any Subscription` to an object would be slow.
  @_documentation(visibility: internal)
  var _held: any Subscription & AnyObject { get }

  // Not for users: the gate of the library that encloses the deliveries of this subscription, if there is one.
  @_documentation(visibility: internal)
  var _gate: AnyObject? { get }
}

/// A namespace for subscriptions.
public enum Subscriptions {}
