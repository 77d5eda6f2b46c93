/// What follows when the first upstream of a ``Succession`` has ended.
@usableFromInline
package protocol Plan {
  associatedtype First: Error
  associatedtype Next: Publisher

  static var name: String { get }
  static var zeroDemand: ZeroDemand { get }
  /// Whether a mirror shows downstream and demand, as in Combine.
  static var showsDownstream: Bool { get }

  /// - Parameter wasEmpty: Whether the first upstream has sent no value.
  func next(after completion: Subscribers.Completion<First>, wasEmpty: Bool) -> Following<Next>
}

extension Plan {
  @usableFromInline package static var showsDownstream: Bool { false }

  /// The same for a detour.
  @usableFromInline
  package func detour(
    after completion: Subscribers.Completion<First>
  ) -> Following<AnyPublisher<Next.Output, Next.Failure>> {
    switch next(after: completion, wasEmpty: false) {
    case .publisher(let next): .publisher(AnyPublisher(next))
    case .end(let completion): .end(completion)
    }
  }
}

@frozen @usableFromInline
package enum Following<Next: Publisher> {
  /// This upstream takes over.
  case publisher(Next)
  /// The stream ends.
  case end(Subscribers.Completion<Next.Failure>)
}

extension Publisher {
  /// Attaches `subscriber` to this publisher, and then to what `plan` lets follow.
  ///
  /// Whoever leads into a succession already is joined: type erasure is where publishers may nest without end.
  @inlinable @_transparent
  package func subscribe<Scheme: Plan, Downstream: Subscriber>(_ plan: Scheme, _ subscriber: Downstream)
  where
    Downstream.Input == Output, Scheme.First == Failure, Scheme.Next.Output == Output,
    Scheme.Next.Failure == Downstream.Failure
  {
    if let subscriber = subscriber as? AnySubscriber<Output, Downstream.Failure>,
      subscriber.takesDetour(over: self, plan: { plan.detour(after: $0) })
    {
      return
    }
    attach(FirstLeg(Succession(plan, to: subscriber)))
  }
}
