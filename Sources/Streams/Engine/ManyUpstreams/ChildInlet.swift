internal import Synchronization

/// The subscriber of one child of a ``Flatten``.
@frozen @usableFromInline
package struct ChildInlet<Input, Child: Publisher, Downstream: Subscriber>: Subscriber
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  @usableFromInline package typealias Failure = Child.Failure

  @usableFromInline let flatten: Flatten<Input, Child, Downstream>
  @usableFromInline let handle: UpstreamHandle

  @inlinable
  init(_ flatten: Flatten<Input, Child, Downstream>, _ handle: UpstreamHandle) {
    self.flatten = flatten
    self.handle = handle
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    guard handle.attach(subscription) else { return subscription.cancel() }
    flatten.perform(.opened(handle))
  }

  @inlinable @inline(__always)
  package func receive(_ input: Child.Output) -> Subscribers.Demand {
    handle.isLive ? flatten.take(input, from: handle) : .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard flatten.unregister(handle) else { return }
    handle.end()
    switch completion {
    case .finished: flatten.perform(.closed)
    case .failure(let error): flatten.perform(.failed(error))
    }
  }

  @usableFromInline
  package var combineIdentifier: CombineIdentifier { CombineIdentifier(handle) }
}

extension ChildInlet: InletOfOperator {
  @usableFromInline package var ownerIdentifier: CombineIdentifier { flatten.combineIdentifier }
  @usableFromInline package var isChild: Bool { true }
}

extension ChildInlet: ReflectedByName {
  @usableFromInline package var description: String { flatten.description }
  @usableFromInline package var reflectedChildren: [Mirror.Child] {
    [("parentSubscription", flatten.combineIdentifier)]
  }
}
