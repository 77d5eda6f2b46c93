public import CThreads
public import Synchronization

/// Lets one thread through at a time, and never makes another wait.
///
/// The thread inside delivers. A signal of its own, sent from within a delivery, it delivers at once, nested.
/// Another thread leaves its signal in a mailbox and knocks; the one inside delivers it before it leaves.
/// So delivery is serial, nothing is held while calling out, and two gates cannot lock each other.
@usableFromInline
package struct Gate: ~Copyable, Sendable {
  /// Zero when free, else the thread inside; the lowest bit is set when somebody knocked.
  @usableFromInline let word = Atomic<UInt>(0)

  @frozen @usableFromInline
  package enum Entry {
    /// The caller is inside, and must leave.
    case entered
    /// The caller's thread was inside already; whoever entered will leave.
    case nested
    /// Another thread is inside.
    case busy
  }

  @inlinable
  package init() {}

  @inlinable @inline(__always)
  package borrowing func enter() -> Entry {
    let me = cthreads_current()
    let free = word.compareExchange(
      expected: 0, desired: me, successOrdering: .acquiring, failureOrdering: .relaxed)
    if free.exchanged { return .entered }
    return free.original & ~1 == me ? .nested : .busy
  }

  /// Tells the thread inside that something was left for it.
  ///
  /// - Returns: True if nobody was inside any more. Then the caller is, and must see to the mailbox and leave.
  @inlinable
  package borrowing func knock() -> Bool {
    var seen = word.load(ordering: .relaxed)
    while true {
      if seen & 1 == 1 { return false }
      let next = seen == 0 ? cthreads_current() : seen | 1
      let step = word.compareExchange(
        expected: seen, desired: next, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if step.exchanged { return seen == 0 }
      seen = step.original
    }
  }

  /// Steps out.
  ///
  /// - Returns: False if somebody knocked. Then the caller is still inside, and must see to the mailbox first.
  @inlinable @inline(__always)
  package borrowing func leave() -> Bool {
    let me = word.load(ordering: .relaxed) & ~1
    let out = word.compareExchange(
      expected: me, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed)
    if !out.exchanged { _ = word.exchange(me, ordering: .acquiringAndReleasing) }
    return out.exchanged
  }
}
