public import CThreads

/// Decides how a ``Concatenation`` continues after its first upstream has ended.
@usableFromInline
package protocol ConcatenationPlan {
  associatedtype First: Error
  associatedtype Next: Publisher

  static var name: String { get }
  static var zeroDemand: ZeroDemand { get }
  /// Whether a mirror shows downstream and demand, as in Combine.
  static var showsDownstream: Bool { get }

  /// - Parameter wasEmpty: Whether the first upstream has sent no value.
  func next(after completion: Subscribers.Completion<First>, wasEmpty: Bool) -> Following<Next>
}

extension ConcatenationPlan {
  @usableFromInline package static var showsDownstream: Bool { false }

  /// The same for a trampoline.
  @usableFromInline
  package func erasedNext(
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
  /// If it is the type-erased inlet of another concatenation, that one takes this publisher over: type erasure is where
  /// publishers may nest without end.
  @inlinable @_transparent
  package func subscribe<Scheme: ConcatenationPlan, Downstream: Subscriber>(
    _ plan: Scheme, _ subscriber: Downstream
  )
  where
    Downstream.Input == Output, Scheme.First == Failure, Scheme.Next.Output == Output,
    Scheme.Next.Failure == Downstream.Failure
  {
    if let subscriber = subscriber as? AnySubscriber<Output, Downstream.Failure>,
      subscriber.takes(over: self, plan: { plan.erasedNext(after: $0) })
    {
      return
    }
    // With static types, nothing is wrapped, as in `attach`.
    if !_isConcrete(Downstream.self), cthreads_has_onlookers() != 0,
      let subscriber = inletInSight(of: subscriber),
      subscriber.takes(over: self, plan: { plan.erasedNext(after: $0) })
    {
      return
    }
    attach(FirstInlet(Concatenation(plan, to: subscriber)))
  }
}

/// The subscriber of the first upstream.
@frozen @usableFromInline
package struct FirstInlet<Scheme: ConcatenationPlan, Downstream: Subscriber>: Subscriber, TrampolineHostInlet
where Scheme.Next.Output == Downstream.Input, Scheme.Next.Failure == Downstream.Failure {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Scheme.First

  @usableFromInline let concatenation: Concatenation<Scheme, Downstream>

  @inlinable
  package init(_ concatenation: Concatenation<Scheme, Downstream>) { self.concatenation = concatenation }

  @inlinable
  package func receive(subscription: any Subscription) {
    concatenation.attach(subscription, turn: .first, then: .firstAttached)
  }

  @inlinable @inline(__always)
  package func receive(_ input: Input) -> Subscribers.Demand {
    concatenation.receive(input, turn: .firstAttached)
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) { concatenation.endFirst(completion) }

  @usableFromInline package var host: any TrampolineHost { concatenation }
  @usableFromInline package var trampoline: AnyObject? { concatenation.trampolineOfFirst() }

  @usableFromInline
  package var combineIdentifier: CombineIdentifier { concatenation.combineIdentifier }
}

/// A publisher may take its subscriber for a subscription, as with Combine's operators.
extension FirstInlet: Subscription {
  @usableFromInline
  package func request(_ demand: Subscribers.Demand) { concatenation.request(demand) }

  @usableFromInline
  package func cancel() { concatenation.cancel() }
}

/// The subscriber of the second upstream.
@frozen @usableFromInline
struct SecondInlet<Scheme: ConcatenationPlan, Downstream: Subscriber>: Subscriber, TrampolineHostInlet
where Scheme.Next.Output == Downstream.Input, Scheme.Next.Failure == Downstream.Failure {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let concatenation: Concatenation<Scheme, Downstream>

  @inlinable
  init(_ concatenation: Concatenation<Scheme, Downstream>) { self.concatenation = concatenation }

  @inlinable
  func receive(subscription: any Subscription) {
    concatenation.attach(subscription, turn: .second, then: .secondAttached)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { concatenation.receive(input, turn: .secondAttached) }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { concatenation.endSecond(completion) }

  @usableFromInline var host: any TrampolineHost { concatenation }
  @usableFromInline var trampoline: AnyObject? { concatenation.trampolineOfSecond() }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { concatenation.combineIdentifier }
}

extension FirstInlet: ReflectedByName {
  @usableFromInline package var description: String { concatenation.description }
  @usableFromInline package var reflectedChildren: [Mirror.Child] { concatenation.reflectedChildren }
}

extension SecondInlet: ReflectedByName {
  @usableFromInline var description: String { concatenation.description }
  @usableFromInline var reflectedChildren: [Mirror.Child] { concatenation.reflectedChildren }
}
