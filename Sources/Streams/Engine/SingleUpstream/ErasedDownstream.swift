/// A downstream as two closures, formed where its type is known.
///
/// Not copyable, so that it is called in place, without a retain for each value.
@frozen @usableFromInline
package struct ErasedDownstream<Output, Failure: Error>: ~Copyable {
  @usableFromInline let take: (Output) -> Subscribers.Demand
  /// Completes, or, without a completion, returns the downstream: for mirrors.
  @usableFromInline let end: (Subscribers.Completion<Failure>?) -> Any?

  @inlinable @inline(__always)
  package init<Downstream: Subscriber<Output, Failure>>(_ downstream: Downstream) {
    take = { downstream.receive($0) }
    end = { completion in
      guard let completion else { return downstream }
      downstream.receive(completion: completion)
      return nil
    }
  }

  @inlinable @inline(__always)
  package borrowing func deliver(_ value: Output) -> Subscribers.Demand { take(value) }

  @inlinable
  package borrowing func complete(_ completion: Subscribers.Completion<Failure>) { _ = end(completion) }

  var downstream: Any { end(nil) as Any }
}
