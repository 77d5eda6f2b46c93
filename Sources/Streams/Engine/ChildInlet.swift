/// One child's way into a ``Flatten``.
@frozen @usableFromInline
package struct ChildInlet<Input, Child: Publisher, Downstream: Subscriber>: Subscriber
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  @usableFromInline package typealias Failure = Child.Failure

  @usableFromInline let flatten: Flatten<Input, Child, Downstream>
  @usableFromInline let link: ChildLink

  @inlinable
  init(_ flatten: Flatten<Input, Child, Downstream>, _ link: ChildLink) {
    self.flatten = flatten
    self.link = link
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    guard link.attach(subscription) else { return subscription.cancel() }
    flatten.perform(.opened(link))
  }

  @inlinable @inline(__always)
  package func receive(_ input: Child.Output) -> Subscribers.Demand {
    link.isLive ? flatten.take(input, from: link) : .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard flatten.strikeOff(link) else { return }
    link.end()
    switch completion {
    case .finished: flatten.perform(.closed)
    case .failure(let error): flatten.perform(.failed(error))
    }
  }

  @usableFromInline
  package var combineIdentifier: CombineIdentifier { CombineIdentifier(link) }
}

/// The hold of a ``Flatten`` or a ``Join`` on one of its upstreams. It knows the child's subscription only, so that there is no cycle.
@usableFromInline
package final class ChildLink: UpstreamLink {
  /// Where this is among the children; `nil` when it is not, any more.
  @exclusivity(unchecked)  // under the flatten's lock only
  @usableFromInline var place: Int?
  @exclusivity(unchecked)  // inside the engine's reception only
  @usableFromInline var isOpenedUp = false
  /// Whether the engine has seen this arrive.
  @exclusivity(unchecked)  // inside the engine's gate only
  @usableFromInline var isOpen = false

  /// Asks for everything, once.
  @inlinable
  func openUp() {
    guard !isOpenedUp, isLive else { return }
    isOpenedUp = true
    request(.unlimited)
  }
}

extension ChildInlet: ReflectedByName {
  @usableFromInline package var description: String { flatten.description }
  @usableFromInline package var reflectedChildren: [Mirror.Child] {
    [("parentSubscription", flatten.combineIdentifier)]
  }
}
