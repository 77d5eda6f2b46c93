public import CThreads
public import Synchronization

/// Lets one thread in at a time, and never makes another wait.
///
/// The thread inside delivers. A signal that it sends from within a delivery is delivered at once, nested. Another thread
/// leaves its signal in a mailbox, and notifies the gate; the thread inside delivers it before it leaves, or parks. So
/// delivery is serial, no lock is held while calling out, and two gates cannot deadlock.
@usableFromInline
package struct SerialGate: ~Copyable, Sendable {
  /// Zero when free, ``parked``, or the thread inside; then the lowest bit is set after a notification.
  @usableFromInline let word = Atomic<UInt>(0)

  /// No thread is inside, and there is something in the mailbox. No thread has this number.
  @inlinable static var parked: UInt { 2 }

  @frozen @usableFromInline
  package enum Entry {
    /// The caller is inside now, and must leave.
    case entered
    /// The caller's thread was inside already.
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

  /// Notifies the thread inside that there is something in the mailbox.
  ///
  /// It writes even if another thread has already notified. The loaded value may be stale, and the thread inside may have drained the
  /// mailbox and left. A read-modify-write never acts on a stale value, and orders the mailbox before what the thread inside does next.
  ///
  /// - Returns: True if no thread was inside any more. Then the caller is inside; it must drain the mailbox and leave, or park.
  @inlinable
  package borrowing func notify() -> Bool {
    var seen = word.load(ordering: .relaxed)
    while true {
      let isFree = seen == 0 || seen == Self.parked
      let next = isFree ? cthreads_current() : seen | 1
      let step = word.compareExchange(
        expected: seen, desired: next, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if step.exchanged { return isFree }
      seen = step.original
    }
  }

  /// Leaves.
  ///
  /// - Returns: False after a notification. Then the caller is still inside; it must drain the mailbox, and leave again.
  @inlinable @inline(__always)
  package borrowing func leave() -> Bool {
    let me = word.load(ordering: .relaxed) & ~1
    let out = word.compareExchange(
      expected: me, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed)
    if !out.exchanged { _ = word.exchange(me, ordering: .acquiring) }
    return out.exchanged
  }

  /// True if the calling thread is inside.
  @inlinable
  package var isInside: Bool { word.load(ordering: .relaxed) & ~1 == cthreads_current() }

  /// Leaves, although there is something in the mailbox, to the next thread that notifies or adopts.
  @usableFromInline
  package borrowing func park() { word.store(Self.parked, ordering: .releasing) }

  /// Enters a gate that is parked. False if it is not.
  @usableFromInline
  package borrowing func adopt() -> Bool {
    word.compareExchange(
      expected: Self.parked, desired: cthreads_current(), successOrdering: .acquiring,
      failureOrdering: .relaxed
    ).exchanged
  }
}
