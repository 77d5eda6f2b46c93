public import Synchronization

/// The way out of a ``Join``: closures, formed where the type of downstream is known.
///
/// Not copyable, so that they are called in place, without a retain for each row.
@frozen @usableFromInline
package struct RowOutlet<Slots, Failure: Error>: ~Copyable {
  /// Sends the next row, for which there is demand. `nil` if none is complete.
  @usableFromInline let send: (Join<Slots, Failure>) -> Subscribers.Demand?
  @usableFromInline let end: (Subscribers.Completion<Failure>) -> Void

  @inlinable @inline(__always)
  package init<Downstream: Subscriber>(
    to downstream: Downstream, send: @escaping (Join<Slots, Failure>) -> Subscribers.Demand?
  ) where Downstream.Failure == Failure {
    self.send = send
    end = { downstream.receive(completion: $0) }
  }

  @inlinable @inline(__always)
  borrowing func sendRow(of join: Join<Slots, Failure>) -> Subscribers.Demand? { send(join) }

  @inlinable
  borrowing func complete(_ completion: Subscribers.Completion<Failure>) { end(completion) }
}

/// The inlet of one upstream of a ``Join``.
@frozen @usableFromInline
package struct JoinInlet<Input, Slots, Failure: Error>: Subscriber {
  @usableFromInline let join: Join<Slots, Failure>
  @usableFromInline let handle: UpstreamHandle
  @usableFromInline let number: Int
  @usableFromInline let place: (inout Slots, Input) -> Input?

  @inlinable
  init(
    _ join: Join<Slots, Failure>, _ handle: UpstreamHandle, _ number: Int,
    _ place: @escaping (inout Slots, Input) -> Input?
  ) {
    self.join = join
    self.handle = handle
    self.number = number
    self.place = place
  }

  @inlinable @inline(never)
  package func receive(subscription: any Subscription) {
    guard !join.isOver.load(ordering: .relaxed), handle.attach(subscription) else {
      return subscription.cancel()
    }
    join.perform(.opened(handle, isPulled: join.policy == .takesOneOfEach && isPulled(subscription)))
  }

  @inlinable @inline(__always)
  package func receive(_ input: Input) -> Subscribers.Demand {
    handle.isLive ? join.take(input, from: handle, place) : .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard handle.endOnce() else { return }
    switch completion {
    case .finished: join.perform(.finished(number))
    case .failure(let error): join.perform(.failed(error))
    }
  }

  @usableFromInline
  package var combineIdentifier: CombineIdentifier { CombineIdentifier(handle) }
}

extension JoinInlet: InletOfOperator {
  @usableFromInline package var ownerIdentifier: CombineIdentifier { join.combineIdentifier }
}

extension JoinInlet: ReflectedByName {
  @usableFromInline package var description: String { join.description }
  @usableFromInline package var reflectedChildren: [Mirror.Child] {
    [("parentSubscription", join.combineIdentifier)]
  }
}
