internal import Synchronization

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
