/// The result of a future, and those who wait for it.
@usableFromInline
package final class Outcome<Output, Failure: Error>: WaitingRoom, @unchecked Sendable {  // as its superclass
  /// A closure, and not the result itself: letting go of that would have to look its type up.
  @exclusivity(unchecked)  // written once, before anybody is told to read it
  @usableFromInline var result: (() -> Result<Output, Failure>)?

  @inlinable package override init() {}

  /// Takes the first result and gives it to those who wait; ignores all others.
  @inlinable
  package func resolve(_ result: Result<Output, Failure>) {
    guard claim() else { return }
    self.result = { result }
    if case .failure = result { settle(.failed) } else { settle(.fulfilled) }
  }

  /// The value, if it is there: a failure is not.
  @inlinable
  var value: Output? {
    guard isFulfilled, case .success(let value)? = result?() else { return nil }
    return value
  }
}

extension WaitingRoom: ReflectedByName {
  @usableFromInline package final var description: String { "Future" }
}

/// Those who wait for an ``Outcome``: what needs no types, so that coming and going look none up.
@usableFromInline
package class WaitingRoom: @unchecked Sendable {  // what varies is under the lock
  @frozen @usableFromInline
  enum State { case open, claimed, fulfilled, failed, abandoned }

  private final let lock = Lock()
  @exclusivity(unchecked)  // under the lock only, as all that follows
  private final var state = State.open
  @exclusivity(unchecked)
  private final var waiting: ContiguousArray<Waiter?> = []
  @exclusivity(unchecked)
  private final var gaps = 0

  @usableFromInline init() {}

  /// True for the first caller only, who then sees to the result and calls ``settle(_:)``.
  @usableFromInline
  final func claim() -> Bool {
    lock.withLock {
      guard state == .open else { return false }
      state = .claimed
      return true
    }
  }

  /// The result is there: it goes to those who wait, in the order in which they came.
  @usableFromInline
  final func settle(_ new: State) {
    let guests = lock.withLock { () -> ContiguousArray<Waiter?> in
      state = new
      defer { waiting = [] }
      return waiting
    }
    for case let waiter? in guests { waiter.resolve(isFailure: new == .failed) }
  }

  @usableFromInline
  final var isFulfilled: Bool { lock.withLock { state == .fulfilled } }

  /// There will be no result any more: those who wait are let go of.
  @usableFromInline
  package final func abandon() {
    guard claim() else { return }
    let guests = lock.withLock { () -> ContiguousArray<Waiter?> in
      state = .abandoned
      defer { waiting = [] }
      return waiting
    }
    for case let waiter? in guests { waiter.cancel() }
  }

  @usableFromInline
  final func await(_ waiter: Waiter) {
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

  final func forget(_ waiter: Waiter) {
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
