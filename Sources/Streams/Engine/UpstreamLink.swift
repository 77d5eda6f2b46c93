public import Synchronization

/// The hold on one of several upstreams: attached once, let go of once.
@usableFromInline
package struct UpstreamLink: ~Copyable {
  @usableFromInline
  package enum Slot {
    case waiting
    case attached(any Subscription)
    case over
  }

  /// Read for every value, so it is an atomic and not a lock.
  @usableFromInline let live = Atomic(false)
  @usableFromInline let slot = Guarded(Slot.waiting)

  @inlinable
  package init() {}

  /// True from the arrival of the subscription to the end of the stream.
  @inlinable @inline(__always)
  package var isLive: Bool { live.load(ordering: .acquiring) }

  /// Keeps the first subscription; returns `false` for any other, which the caller cancels.
  @inlinable
  package borrowing func attach(_ subscription: any Subscription) -> Bool {
    slot.withLock { slot in
      guard case .waiting = slot else { return false }
      slot = .attached(subscription)
      live.store(true, ordering: .releasing)
      return true
    }
  }

  @inlinable
  package borrowing func request(_ demand: Subscribers.Demand) {
    guard case .attached(let subscription) = slot.withLock({ $0 }) else { return }
    subscription.request(demand)
  }

  @inlinable
  package borrowing func cancel() {
    _ = cancelOnce()
  }

  /// Cancels. True if there was an upstream to cancel.
  @inlinable
  package borrowing func cancelOnce() -> Bool {
    guard case .attached(let subscription) = take() else { return false }
    subscription.cancel()
    return true
  }

  /// Lets go without cancelling: upstream has ended by itself.
  @inlinable
  package borrowing func end() { _ = take() }

  /// Lets go without cancelling. True for the first time only, attached or not.
  @inlinable
  package borrowing func endOnce() -> Bool {
    if case .over = take() { false } else { true }
  }

  @inlinable
  borrowing func take() -> Slot {
    slot.withLock { slot in
      live.store(false, ordering: .releasing)
      defer { slot = .over }
      return slot
    }
  }
}
