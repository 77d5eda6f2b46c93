/// The way in for the first upstream.
@frozen @usableFromInline
package struct FirstLeg<Scheme: Plan, Downstream: Subscriber>: Subscriber, Leg
where Scheme.Next.Output == Downstream.Input, Scheme.Next.Failure == Downstream.Failure {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Scheme.First

  @usableFromInline let succession: Succession<Scheme, Downstream>

  @inlinable
  package init(_ succession: Succession<Scheme, Downstream>) { self.succession = succession }

  @inlinable
  package func receive(subscription: any Subscription) {
    succession.attach(subscription, turn: .first, then: .firstAttached)
  }

  @inlinable @inline(__always)
  package func receive(_ input: Input) -> Subscribers.Demand {
    succession.receive(input, turn: .firstAttached)
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) { succession.endFirst(completion) }

  @usableFromInline package var host: any Host { succession }
  @usableFromInline package var detours: AnyObject? { succession.detoursOfFirst() }

  @usableFromInline
  package var combineIdentifier: CombineIdentifier { succession.combineIdentifier }
}

/// The way in for the second upstream.
@frozen @usableFromInline
struct SecondLeg<Scheme: Plan, Downstream: Subscriber>: Subscriber, Leg
where Scheme.Next.Output == Downstream.Input, Scheme.Next.Failure == Downstream.Failure {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let succession: Succession<Scheme, Downstream>

  @inlinable
  init(_ succession: Succession<Scheme, Downstream>) { self.succession = succession }

  @inlinable
  func receive(subscription: any Subscription) {
    succession.attach(subscription, turn: .second, then: .secondAttached)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { succession.receive(input, turn: .secondAttached) }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { succession.endSecond(completion) }

  @usableFromInline var host: any Host { succession }
  @usableFromInline var detours: AnyObject? { succession.detoursOfSecond() }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { succession.combineIdentifier }
}

extension FirstLeg: ReflectedByName {
  @usableFromInline package var description: String { succession.description }
  @usableFromInline package var reflectedChildren: [Mirror.Child] { succession.reflectedChildren }
}

extension SecondLeg: ReflectedByName {
  @usableFromInline var description: String { succession.description }
  @usableFromInline var reflectedChildren: [Mirror.Child] { succession.reflectedChildren }
}
