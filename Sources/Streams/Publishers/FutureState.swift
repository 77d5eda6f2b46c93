/// The result of a future, and the subscriptions that wait for it.
@usableFromInline
package final class FutureState<Output, Failure: Error>: AnyFutureState, @unchecked Sendable {  // as its superclass
  /// A closure, and not the result itself: releasing that would look its type up.
  @exclusivity(unchecked)  // written once, before any thread may read it
  @usableFromInline var result: (() -> Result<Output, Failure>)?

  @inlinable package override init() {}

  /// Stores the first result, and delivers it to the subscriptions that wait; ignores all others.
  @inlinable
  package func resolve(_ result: Result<Output, Failure>) {
    guard claim() else { return }
    self.result = { result }
    if case .failure = result { settle(.failed) } else { settle(.fulfilled) }
  }

  /// The value, if the future is fulfilled.
  @inlinable
  var value: Output? {
    guard isFulfilled, case .success(let value)? = result?() else { return nil }
    return value
  }
}

extension AnyFutureState: ReflectedByName {
  @usableFromInline package final var description: String { "Future" }
}

/// The part of a ``FutureState`` that needs no types: the subscriptions that wait.
@usableFromInline
package class AnyFutureState: @unchecked Sendable {  // what varies is under the lock
  @frozen @usableFromInline
  enum State { case open, claimed, fulfilled, failed, abandoned }

  private final let lock = Lock()
  @exclusivity(unchecked)  // under the lock only, as all that follows
  private final var state = State.open
  @exclusivity(unchecked)
  private final var waiting: ContiguousArray<FutureSubscription?> = []
  @exclusivity(unchecked)
  private final var gaps = 0

  @usableFromInline init() {}

  /// True for the first caller only.
  @usableFromInline
  final func claim() -> Bool {
    lock.withLock {
      guard state == .open else { return false }
      state = .claimed
      return true
    }
  }

  /// Delivers the result to the subscriptions that wait, in order of arrival.
  @usableFromInline
  final func settle(_ new: State) {
    let waiters = lock.withLock { () -> ContiguousArray<FutureSubscription?> in
      state = new
      defer { waiting = [] }
      return waiting
    }
    for case let waiter? in waiters { waiter.resolve(isFailure: new == .failed) }
  }

  @usableFromInline
  final var isFulfilled: Bool { lock.withLock { state == .fulfilled } }

  /// There will be no result: releases the subscriptions that wait.
  @usableFromInline
  package final func abandon() {
    guard claim() else { return }
    let waiters = lock.withLock { () -> ContiguousArray<FutureSubscription?> in
      state = .abandoned
      defer { waiting = [] }
      return waiting
    }
    for case let waiter? in waiters { waiter.cancel() }
  }

  @usableFromInline
  final func await(_ waiter: FutureSubscription) {
    let seen = lock.withLock { () -> State in
      if state == .open || state == .claimed, !waiter.isOver {
        waiter.place = waiting.count
        waiting.append(waiter)
      }
      return state
    }
    switch seen {
    case .open, .claimed: break
    case .fulfilled: waiter.resolve(isFailure: false)
    case .failed: waiter.resolve(isFailure: true)
    case .abandoned: waiter.cancel()
    }
  }

  final func forget(_ waiter: FutureSubscription) {
    lock.withLock {
      let place = waiter.place
      guard place >= 0, place < waiting.count, waiting[place] === waiter else { return }
      waiting[place] = nil
      gaps += 1
      if gaps * 2 > waiting.count { closeGaps() }
    }
  }

  private final func closeGaps() {
    gaps = 0
    waiting.removeAll { $0 == nil }
    for (place, waiter) in waiting.enumerated() { waiter?.place = place }
  }
}
