/// One child's way into a ``Flatten``.
@usableFromInline
package final class ChildInlet<Input, Child: Publisher, Downstream: Subscriber>: Subscriber
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  @usableFromInline package typealias Failure = Child.Failure

  @usableFromInline let flatten: Flatten<Input, Child, Downstream>
  /// Where this is among the children; `nil` when it is not, any more.
  @exclusivity(unchecked)  // under the flatten's lock only
  @usableFromInline var place: Int?
  @usableFromInline let link = UpstreamLink()

  @inlinable
  init(_ flatten: Flatten<Input, Child, Downstream>) { self.flatten = flatten }

  @inlinable
  package func receive(subscription: any Subscription) {
    guard link.attach(subscription) else { return subscription.cancel() }
    flatten.perform(.opened(subscription))
  }

  @inlinable @inline(__always)
  package func receive(_ input: Child.Output) -> Subscribers.Demand {
    link.isLive ? flatten.take(input, from: self) : .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard flatten.strikeOff(self) else { return }
    link.end()
    switch completion {
    case .finished: flatten.perform(.closed)
    case .failure(let error): flatten.perform(.failed(error))
    }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { link.request(demand) }

  @usableFromInline
  func cancel() { link.cancel() }
}
