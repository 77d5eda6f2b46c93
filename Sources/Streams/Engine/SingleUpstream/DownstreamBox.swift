/// A downstream, with the rule that an operator applies for it and the rule's memory. All are released together.
///
/// It has memory of its own, behind a pointer, for two reasons. A field of a subscription whose type depends on type
/// parameters would have its type looked up whenever the subscription is deallocated. And a value that is not
/// copyable, and used through borrowing methods, is called in place, without a retain for each value.
@frozen @usableFromInline
package struct DownstreamBox<Downstream: Subscriber, Rule, Memory>: ~Copyable {
  @usableFromInline let rule: Rule
  @usableFromInline let downstream: Downstream
  /// Each access is one load or one store.
  @usableFromInline var memory: Memory

  @inlinable
  init(_ downstream: Downstream, _ rule: Rule, _ memory: Memory) {
    self.rule = rule
    self.downstream = downstream
    self.memory = memory
  }

  @inlinable
  borrowing func attach(_ subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable @inline(__always)
  borrowing func deliver(_ value: Downstream.Input) -> Subscribers.Demand { downstream.receive(value) }

  @inlinable
  borrowing func complete(_ completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}

/// A downstream alone.
@usableFromInline
package typealias PlainDownstream<Downstream: Subscriber> = DownstreamBox<Downstream, Void, Void>

extension DownstreamBox where Rule == Void, Memory == Void {
  @inlinable
  init(_ downstream: Downstream) { self.init(downstream, (), ()) }
}

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
