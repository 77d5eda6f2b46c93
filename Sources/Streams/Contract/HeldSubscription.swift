public import CThreads

/// A subscription as stations and sinks keep it: one reference.
///
/// An `any Subscription` may be of any size: to copy it, or to let go of it, takes its witnesses and five words. What is
/// kept under a lock, and stays there while it is used, is used through a ``Loan``.
@usableFromInline
package typealias HeldSubscription = any Subscription & AnyObject

/// A subscription that lies under a lock, for one use outside: whoever lets go of it meanwhile does not end it.
///
/// It is counted in C, too: swiftc 6.3.1 may leave out the retain of a reference that is copied out under a lock, as if nobody
/// else could let go of it (Docs/speed.md).
@frozen @usableFromInline
package struct Loan {
  @usableFromInline let subscription: HeldSubscription
  @usableFromInline let object: UnsafeMutableRawPointer

  /// To be made under the lock, and used once.
  @inlinable
  package init(_ held: HeldSubscription) {
    subscription = held
    object = Unmanaged<AnyObject>.passUnretained(held).toOpaque()
    cthreads_retain(object)
  }

  /// Asks for `demand`, and gives the loan back.
  @inlinable
  package func request(_ demand: Subscribers.Demand) {
    subscription.request(demand)
    cthreads_release(object)
  }
}

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
