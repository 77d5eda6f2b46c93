/// A subscriber without state, which hands upstream's own subscription down.
///
/// It costs no allocation and no lock, and keeps the laws that its upstream keeps: it has nothing to be cancelled,
/// counted or put away.
@usableFromInline
package protocol Pass: Subscriber {
  associatedtype Downstream: Subscriber

  var downstream: Downstream { get }
}

extension Pass {
  @inlinable
  package func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @usableFromInline
  package var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
}
