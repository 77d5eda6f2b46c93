internal import Synchronization

/// Publishers that stand in for one upstream of a ``Succession``, one after another.
///
/// A succession inside a succession would pass each value, request and end through both, and paging without end –
/// a page, then the next page – would nest them without end. Instead the inner one gives its upstreams to the outer
/// one, as detours, and its plan to the pile of those that are still to be asked. Nothing nests, and the stack does
/// not deepen (law R1), whoever ends at once.
@usableFromInline
package final class Detours<Output, Failure: Error>: @unchecked Sendable {  // what varies is under the lock
  @usableFromInline package typealias Plan =
    (Subscribers.Completion<Failure>) -> Following<AnyPublisher<Output, Failure>>

  /// Counts the detours: signals of another than the present one are late, and ignored.
  private let turn = Atomic(0)
  private let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  private var plans: [Plan] = []
  @exclusivity(unchecked)  // under the lock only
  private var due: (() -> Void)?
  @exclusivity(unchecked)  // under the lock only
  private var isMoving = false

  package init() {}

  /// The turn of the present one.
  var present: Int { turn.load(ordering: .acquiring) }

  /// Takes the turn from the detour that has it. False if another one has.
  func take(turn old: Int) -> Bool {
    turn.compareExchange(expected: old, desired: old + 1, ordering: .acquiringAndReleasing).exchanged
  }

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

  /// Runs `subscribe`, or has it run by who is subscribing already, further up on the stack or on another thread.
  func move(_ subscribe: @escaping () -> Void) {
    let isFirst = lock.withLock {
      due = subscribe
      defer { isMoving = true }
      return !isMoving
    }
    guard isFirst else { return }
    while let next = takeDue() { next() }
  }

  private func takeDue() -> (() -> Void)? {
    lock.withLock {
      isMoving = due != nil
      return due.take()
    }
  }

  /// Lets go of all that was to follow.
  func clear() {
    withExtendedLifetime(
      lock.withLock { () -> ([Plan], (() -> Void)?) in
        defer { plans = [] }
        return (plans, due.take())
      }
    ) {}
  }
}
