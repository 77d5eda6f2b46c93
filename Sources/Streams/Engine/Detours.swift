internal import Synchronization

/// Publishers that stand in for one upstream of a ``Succession``, one after another.
///
/// A succession inside a succession would pass each value, request and end through both, and paging without end –
/// a page, then the next page – would nest them without end. Instead the inner one gives its upstreams to the outer
/// one, as detours, and its plan to the pile of those that are still to be asked. Nothing nests, and the stack does
/// not deepen (law R1), whoever ends at once.
@usableFromInline
package final class Detours<Output, Failure: Error>: Diversion, @unchecked Sendable {  // as its superclass
  @usableFromInline package typealias Plan =
    (Subscribers.Completion<Failure>) -> Following<AnyPublisher<Output, Failure>>

  @exclusivity(unchecked)  // under the lock only
  private var plans: [Plan] = []

  /// Puts `plan` before those that are still to be asked.
  func add(_ plan: @escaping Plan) {
    lock.withLock { plans.append(plan) }
  }

  /// What follows `following`, asking plan after plan until one knows how to go on.
  func resolve(
    _ following: Following<AnyPublisher<Output, Failure>>
  ) -> Following<AnyPublisher<Output, Failure>> {
    var following = following
    while case .end(let completion) = following, let plan = lock.withLock({ plans.popLast() }) {
      following = plan(completion)
    }
    return following
  }

  @usableFromInline
  override func clear() {
    super.clear()
    let gone = lock.withLock {
      defer { plans = [] }
      return plans
    }
    withExtendedLifetime(gone) {}
  }
}

/// The part of ``Detours`` that needs no types: its owner lets go of it without looking them up.
@usableFromInline
package class Diversion: @unchecked Sendable {  // what varies is under the lock
  /// Counts the detours: signals of another than the present one are late, and ignored.
  private final let turn = Atomic(0)
  fileprivate final let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  private final var due: (() -> Void)?
  @exclusivity(unchecked)  // under the lock only
  private final var isMoving = false

  package init() {}

  /// The turn of the present one.
  final var present: Int { turn.load(ordering: .acquiring) }

  /// Takes the turn from the detour that has it. False if another one has.
  final func take(turn old: Int) -> Bool {
    turn.compareExchange(expected: old, desired: old + 1, ordering: .acquiringAndReleasing).exchanged
  }

  /// Runs `subscribe`, or has it run by who is subscribing already, further up on the stack or on another thread.
  final func move(_ subscribe: @escaping () -> Void) {
    let isFirst = lock.withLock {
      due = subscribe
      defer { isMoving = true }
      return !isMoving
    }
    guard isFirst else { return }
    while let next = takeDue() { next() }
  }

  private final func takeDue() -> (() -> Void)? {
    lock.withLock {
      isMoving = due != nil
      return due.take()
    }
  }

  /// Lets go of all that was to follow.
  @usableFromInline
  func clear() {
    withExtendedLifetime(lock.withLock { due.take() }) {}
  }
}

extension Diversion: Reflected {}
