/// A subscription as stations and sinks keep it: one reference.
///
/// An `any Subscription` may be of any size: to copy it, or to let go of it, takes its witnesses and five words. Not for
/// what is copied out under a lock and used after that: swiftc 6.3.1 may leave out the retain (Docs/speed.md).
@usableFromInline
package typealias HeldSubscription = any Subscription & AnyObject

extension Subscription {
  public var _held: any Subscription & AnyObject { BoxedSubscription(self) }
}

extension Subscription where Self: AnyObject {
  @inlinable
  public var _held: any Subscription & AnyObject { self }
}

/// The subscription of a stranger that is no class.
final class BoxedSubscription<Content: Subscription>: Subscription {
  private let content: Content

  init(_ content: Content) { self.content = content }

  var combineIdentifier: CombineIdentifier { content.combineIdentifier }

  func request(_ demand: Subscribers.Demand) { content.request(demand) }
  func cancel() { content.cancel() }
}
