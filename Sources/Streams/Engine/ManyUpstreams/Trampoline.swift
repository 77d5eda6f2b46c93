internal import Synchronization

/// Publishers that take the place of one upstream of a ``Concatenation``, one after another.
///
/// A concatenation inside another would pass each value, request and completion through both, and paging without end would
/// nest them without end. Instead, the inner one hands its upstreams to the outer one, and pushes its plan onto a stack. Nothing
/// nests, and the call stack does not deepen (law R1).
///
/// `DeepChains` runs a million pages on a stack of 256 KiB: nested, they would need a million frames.
@usableFromInline
package final class Trampoline<Output, Failure: Error>: AnyTrampoline, @unchecked Sendable {  // as its superclass
  @usableFromInline package typealias ConcatenationPlan =
    (Subscribers.Completion<Failure>) -> Following<AnyPublisher<Output, Failure>>

  @exclusivity(unchecked)  // under the lock only
  private var plans: [ConcatenationPlan] = []

  /// Pushes `plan` onto the stack.
  func add(_ plan: @escaping ConcatenationPlan) {
    lock.withLock { plans.append(plan) }
  }

  /// Resolves `following`: tries plan after plan, until one continues the stream.
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

/// The part of ``Trampoline`` that needs no types: releasing it looks none up.
@usableFromInline
package class AnyTrampoline: @unchecked Sendable {  // what varies is under the lock
  /// Counts the publishers: signals of any but the current one are late, and ignored.
  private final let turn = Atomic(0)
  fileprivate final let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  private final var due: (() -> Void)?
  @exclusivity(unchecked)  // under the lock only
  private final var isMoving = false

  package init() {}

  /// The turn of the current one.
  final var present: Int { turn.load(ordering: .relaxed) }

  /// Ends the turn `old`. False if it is another's turn.
  final func take(turn old: Int) -> Bool {
    turn.compareExchange(expected: old, desired: old + 1, ordering: .relaxed).exchanged
  }

  /// Runs `subscribe`: now, or, if a subscription is under way, further up the stack or on another thread, after that.
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

  /// Releases all that was to follow.
  @usableFromInline
  func clear() {
    withExtendedLifetime(lock.withLock { due.take() }) {}
  }
}

extension AnyTrampoline: Reflected {}
