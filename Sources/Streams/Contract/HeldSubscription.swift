/// A subscription as engines and sinks store it: one reference.
///
/// An `any Subscription` has room for a value of any size. Copying and releasing one calls its witnesses.
@usableFromInline
package typealias SubscriptionObject = any Subscription & AnyObject

extension Subscription {
  @_documentation(visibility: internal)
  public var _held: any Subscription & AnyObject { BoxedSubscription(self) }

  @inlinable
  @_documentation(visibility: internal)
  public var _gate: AnyObject? { nil }
}

extension Subscription where Self: AnyObject {
  @inlinable
  @_documentation(visibility: internal)
  public var _held: any Subscription & AnyObject { self }
}

/// Holds a subscription that is not a class.
final class BoxedSubscription<Content: Subscription>: Subscription {
  let wrapped: Content

  init(_ content: Content) { wrapped = content }

  var _gate: AnyObject? { wrapped._gate }

  var combineIdentifier: CombineIdentifier { wrapped.combineIdentifier }

  func request(_ demand: Subscribers.Demand) { wrapped.request(demand) }
  func cancel() { wrapped.cancel() }
}
