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

/// A ``Flatten`` without an outer upstream: its children are known from the start.
@usableFromInline
package typealias Merging<Downstream: Subscriber> =
  Flatten<Never, AnyPublisher<Downstream.Input, Downstream.Failure>, Downstream>

extension Flatten where Input == Never, Child == AnyPublisher<Downstream.Input, Downstream.Failure> {
  /// - Parameter count: How many publishers will join.
  @inlinable @inline(__always)
  package convenience init(of count: Int, to downstream: Downstream) {
    self.init("Merge", zeroDemand: .passes, maxPublishers: .unlimited, to: downstream, transform: nil)
    expect(count)
  }

  @inlinable @inline(__always)
  package func join<Upstream: Publisher<Downstream.Input, Downstream.Failure>>(_ upstream: Upstream) {
    let handle = UpstreamHandle()
    if register(handle, counting: false) { upstream.subscribe(ChildInlet(self, handle)) }
  }

  @usableFromInline
  func expect(_ count: Int) {
    isOuterFinished = true
    open.store(count, ordering: .relaxed)
  }

  @usableFromInline
  package func finishEmpty() { perform(.outerFinished) }
}
