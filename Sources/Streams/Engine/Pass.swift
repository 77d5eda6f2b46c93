/// A subscriber without state, which hands upstream's own subscription down.
///
/// It costs no allocation and no lock, and keeps the laws that its upstream keeps: it has nothing to be cancelled,
/// counted or put away.
@usableFromInline
package protocol Pass: Subscriber, ReflectedByName {
  associatedtype Downstream: Subscriber

  var downstream: Downstream { get }
}

extension Pass {
  @inlinable
  package func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  /// `Map` of `MapPass<…>`: introspections show it.
  @usableFromInline
  package var description: String { String("\(Self.self)".prefix { $0 != "<" }.dropLast(4)) }

  @usableFromInline
  package var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
}
