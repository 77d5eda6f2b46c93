public import Synchronization

/// The handle of one of several upstreams: attached once, released once, from any thread.
///
/// It stores the upstream's subscription, and nothing of its operator.
@usableFromInline
package final class UpstreamHandle {
  @usableFromInline
  package enum Slot {
    case waiting
    case attached(SubscriptionObject)
    case over
  }

  /// Read for every value, so it is an atomic and not a lock. Relaxed: all that it leads to is under the lock.
  @usableFromInline let live = Atomic(false)
  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var slot = Slot.waiting
  /// The position in the operator's list of upstreams; `nil` when it is not in there.
  @exclusivity(unchecked)  // under the operator's lock only
  @usableFromInline var index: Int?

  /// Whether the operator has handled the arrival of the subscription.
  @exclusivity(unchecked)  // inside the operator's drain loop only, as all that follows
  @usableFromInline var isOpen = false
  /// The demand that waits for the subscription.
  @exclusivity(unchecked)
  @usableFromInline var early = Subscribers.Demand.none
  /// How many values were requested and have not arrived; `Int.max` for unlimited.
  @exclusivity(unchecked)
  @usableFromInline package var owed = 0
  /// The demand that is added while one of its values is handled. It is returned to the upstream.
  @exclusivity(unchecked)
  @usableFromInline var answer: Subscribers.Demand?
  /// Whether it is one of many upstreams of which everything is requested once downstream has requested everything.
  @exclusivity(unchecked)
  @usableFromInline package var isChild = false
  /// Whether its values and completion are ignored.
  @exclusivity(unchecked)
  @usableFromInline package var isCancelled = false

  /// - Parameter demand: The demand that is requested when the subscription arrives.
  @usableFromInline
  package init(requesting demand: Subscribers.Demand) { requestMore(demand) }

  @inlinable
  package init() {}

  // MARK: From any thread

  /// True from the arrival of the subscription to the end of the upstream.
  @inlinable @inline(__always)
  package var isLive: Bool { live.load(ordering: .relaxed) }

  /// Stores the first subscription; returns `false` for any other, which the caller cancels.
  @inlinable
  package func attach(_ subscription: any Subscription) -> Bool {
    let held = subscription._held
    return lock.withLock {
      guard case .waiting = slot else { return false }
      slot = .attached(held)
      live.store(true, ordering: .relaxed)
      return true
    }
  }

  @inlinable
  package func request(_ demand: Subscribers.Demand) {
    lock.withLock { () -> SubscriptionObject? in
      if case .attached(let subscription) = slot { subscription } else { nil }
    }?.request(demand)
  }

  @inlinable
  package func cancel() { _ = cancelOnce() }

  /// Cancels. True if there was an upstream to cancel.
  @inlinable
  package func cancelOnce() -> Bool {
    guard case .attached(let subscription) = take() else { return false }
    subscription.cancel()
    return true
  }

  /// Releases the subscription without cancelling: the upstream has ended.
  @inlinable
  package func end() { _ = take() }

  /// Releases the subscription without cancelling. True for the first time only, attached or not.
  @inlinable
  package func endOnce() -> Bool {
    if case .over = take() { false } else { true }
  }

  @inlinable
  func take() -> Slot {
    lock.withLock {
      live.store(false, ordering: .relaxed)
      defer { slot = .over }
      return slot
    }
  }
}

// MARK: Inside the operator's drain loop

extension UpstreamHandle {
  /// Requests `demand` values more: now, on arrival, or with the return value of the delivery under way.
  @usableFromInline
  package func requestMore(_ demand: Subscribers.Demand) {
    guard demand > .none, owed != .max else { return }
    owe(demand)
    requestOwed(demand)
  }

  /// Requests values that are counted: on arrival, with the answer to a value that is handled, or at once.
  @usableFromInline
  func requestOwed(_ demand: Subscribers.Demand) {
    if !isOpen {
      early += demand
    } else if let answer {
      self.answer = answer + demand
    } else {
      request(demand)
    }
  }

  /// Counts `demand` values more, which the caller requests.
  @inlinable
  func owe(_ demand: Subscribers.Demand) {
    let (sum, overflow) = owed.addingReportingOverflow(demand.max ?? .max)
    owed = overflow ? .max : sum
  }

  /// Counts as many values as are missing for it to owe `demand`, and returns their number, which the caller requests.
  @inlinable
  func owe(atLeast demand: Subscribers.Demand) -> Subscribers.Demand {
    let wanted = demand.max ?? .max
    guard wanted > owed else { return .none }
    defer { owed = wanted }
    return wanted == .max ? .unlimited : .max(wanted - owed)
  }

  /// Requests as many values as are missing for it to owe `demand`.
  @inlinable
  package func raiseDemand(to demand: Subscribers.Demand) {
    let missing = owe(atLeast: demand)
    if missing > .none { requestOwed(missing) }
  }

  /// The same, at once, even while one of its values is handled.
  @usableFromInline
  package func raiseDemand(atOnceTo demand: Subscribers.Demand) {
    let answer = answer.take()
    raiseDemand(to: demand)
    self.answer = answer
  }

  /// Requests everything, once.
  @inlinable
  func requestAllOnce() {
    guard owed != .max, isLive else { return }
    owed = .max
    request(.unlimited)
  }

  /// Notes the arrival of the subscription, runs `attach`, and requests what waited for the arrival. Called once.
  @usableFromInline
  func open(_ attach: () -> Void) {
    isOpen = true
    attach()
    if early > .none { request(early) }
  }

  /// Counts one value. False if none was requested.
  @inlinable @inline(__always)
  func spend() -> Bool {
    if owed == .max { return true }
    guard owed > 0 else { return false }
    owed -= 1
    return true
  }

  /// Cancels the upstream, and ignores what it still sends.
  @usableFromInline
  package func discard() {
    isCancelled = true
    cancel()
  }
}

extension UpstreamHandle: Reflected {}

/// The upstreams of an operator, of which each stores its own position: adding and removing one take constant time.
///
/// To be used under the operator's lock only.
@frozen @usableFromInline
package struct UpstreamHandles {
  @usableFromInline var all: ContiguousArray<UpstreamHandle> = []

  @inlinable
  package init() {}

  @inlinable
  mutating func add(_ handle: UpstreamHandle) {
    handle.index = all.count
    all.append(handle)
  }

  /// False if it is not in here.
  @inlinable
  mutating func remove(_ handle: UpstreamHandle) -> Bool {
    guard let index = handle.index else { return false }
    handle.index = nil
    let last = all.removeLast()
    if last !== handle {
      all[index] = last
      last.index = index
    }
    return true
  }

  @inlinable
  mutating func takeAll() -> ContiguousArray<UpstreamHandle> {
    defer { all = [] }
    for handle in all { handle.index = nil }
    return all
  }
}
