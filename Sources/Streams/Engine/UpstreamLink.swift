public import Synchronization

/// The hold on one of several upstreams: attached once, let go of once.
@usableFromInline
package class UpstreamLink {
  @usableFromInline
  package enum Slot {
    case waiting
    case attached(HeldSubscription)
    case over
  }

  /// Read for every value, so it is an atomic and not a lock.
  @usableFromInline final let live = Atomic(false)
  @usableFromInline final let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline final var slot = Slot.waiting

  @inlinable
  package init() {}

  /// True from the arrival of the subscription to the end of the stream.
  @inlinable @inline(__always)
  package final var isLive: Bool { live.load(ordering: .acquiring) }

  /// Keeps the first subscription; returns `false` for any other, which the caller cancels.
  @inlinable
  package final func attach(_ subscription: any Subscription) -> Bool {
    let held = subscription._held
    return lock.withLock {
      guard case .waiting = slot else { return false }
      slot = .attached(held)
      live.store(true, ordering: .releasing)
      return true
    }
  }

  @inlinable
  package final func request(_ demand: Subscribers.Demand) {
    lock.withLock { () -> HeldSubscription? in
      if case .attached(let subscription) = slot { subscription } else { nil }
    }?.request(demand)
  }

  @inlinable
  package final func cancel() {
    _ = cancelOnce()
  }

  /// Cancels. True if there was an upstream to cancel.
  @inlinable
  package final func cancelOnce() -> Bool {
    guard case .attached(let subscription) = take() else { return false }
    subscription.cancel()
    return true
  }

  /// Lets go without cancelling: upstream has ended by itself.
  @inlinable
  package final func end() { _ = take() }

  /// Lets go without cancelling. True for the first time only, attached or not.
  @inlinable
  package final func endOnce() -> Bool {
    if case .over = take() { false } else { true }
  }

  @inlinable
  final func take() -> Slot {
    lock.withLock {
      live.store(false, ordering: .releasing)
      defer { slot = .over }
      return slot
    }
  }
}

extension UpstreamLink: Reflected {}
