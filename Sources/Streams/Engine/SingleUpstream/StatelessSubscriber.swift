/// A subscriber that passes signals to downstream, by default with upstream's own subscription.
///
/// That costs no allocation and no lock, and keeps the laws that upstream keeps. An operator implements what it changes.
@usableFromInline
package protocol StatelessSubscriber: Subscriber, ReflectedByName {
  associatedtype Downstream: Subscriber

  var downstream: Downstream { get }
}

extension StatelessSubscriber {
  @inlinable
  package func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  /// `Map` of `MapSubscriber<…>`: introspections show it.
  @usableFromInline
  package var description: String { String("\(Self.self)".prefix { $0 != "<" }.dropLast(10)) }

  @usableFromInline
  package var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
}

extension StatelessSubscriber where Input == Downstream.Input {
  @inlinable @inline(__always)
  package func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }
}

extension StatelessSubscriber where Failure == Downstream.Failure {
  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    downstream.receive(completion: completion)
  }
}
