public import CThreads
public import Synchronization

/// Lets one thread in at a time, and never makes another wait.
///
/// The thread inside delivers. A signal that it sends from within a delivery is delivered at once, nested. Another thread
/// leaves its signal in a mailbox, and notifies the gate; the thread inside delivers it before it leaves, or parks. So
/// delivery is serial, no lock is held while calling out, and two gates cannot deadlock.
///
/// Subscribers further down share the gate (``LifecycleState``): while a thread is inside, nothing that it may use is released. An
/// object of its own, so that a subscriber that is kept after the end of its stream keeps nothing else.
@usableFromInline
package class SerialGate: @unchecked Sendable {  // `waiting` has its lock
  /// Zero when free, ``parked``, or the thread inside; then the lowest bit is set after a notification.
  @usableFromInline final let word = Atomic<UInt>(0)

  /// No thread is inside, and there is something in the mailbox. No thread has this number.
  @inlinable static var parked: UInt { 2 }

  @usableFromInline final let lock = Lock()
  /// Subscribers that are over, and wait until the thread inside cannot use them any more.
  @exclusivity(unchecked)  // under the lock only
  private final var waiting: ContiguousArray<any LifecycleOwner> = []
  /// Relaxed: the notification orders it before the thread inside looks.
  private final let hasWaiting = Atomic(false)

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
  package final func enter() -> Entry {
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
  package final func notify() -> Bool {
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
  package final func leave() -> Bool {
    let me = word.load(ordering: .relaxed) & ~1
    let out = word.compareExchange(
      expected: me, desired: 0, successOrdering: .releasing, failureOrdering: .relaxed)
    if !out.exchanged { _ = word.exchange(me, ordering: .acquiring) }
    return out.exchanged
  }

  /// True if the calling thread is inside.
  @inlinable
  package final var isInside: Bool { word.load(ordering: .relaxed) & ~1 == cthreads_current() }

  /// Leaves, although there is something in the mailbox, to the next thread that notifies or adopts. That one acquires
  /// what others released with their notifications, too: read-modify-writes continue a release sequence.
  @usableFromInline
  package final func park() { _ = word.exchange(Self.parked, ordering: .releasing) }

  /// Enters a gate that is parked. False if it is not.
  @usableFromInline
  package final func adopt() -> Bool {
    word.compareExchange(
      expected: Self.parked, desired: cthreads_current(), successOrdering: .acquiring,
      failureOrdering: .relaxed
    ).exchanged
  }

  /// Runs `body` inside, if no thread is.
  @usableFromInline
  package final func enclose(_ body: () -> Void) {
    let entry = enter()
    body()
    guard entry == .entered else { return }
    while !leave() { releaseWaiting() }
  }
}

// MARK: Subscribers that are over

extension SerialGate {
  /// Calls ``LifecycleOwner/leave()`` of `owner`, which is over, once no thread can use it here: now, or before the thread
  /// inside leaves.
  @usableFromInline
  final func release(_ owner: any LifecycleOwner) {
    if isFree { owner.leave() } else { releaseLater(owner) }
  }

  /// The same for a gate that was not free.
  @usableFromInline
  final func releaseLater(_ owner: any LifecycleOwner) {
    lock.withLock {
      waiting.append(owner)
      hasWaiting.store(true, ordering: .relaxed)
    }
    if notifyUnlessFree() { return }
    // The thread inside has left meanwhile, perhaps with `owner`.
    let isMine = lock.withLock { () -> Bool in
      guard let index = waiting.firstIndex(where: { $0 === owner }) else { return false }
      waiting.remove(at: index)
      if waiting.isEmpty { hasWaiting.store(false, ordering: .relaxed) }
      return true
    }
    if isMine { owner.leave() }
  }

  /// True if no thread is inside. Then the next one that enters sees what the caller did before, and the caller what the last
  /// one did: a read-modify-write is never stale.
  @usableFromInline
  final var isFree: Bool {
    var seen = word.load(ordering: .relaxed)
    while seen == 0 || seen == Self.parked {
      let step = word.compareExchange(
        expected: seen, desired: seen, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if step.exchanged { return true }
      seen = step.original
    }
    return false
  }

  /// Notifies the thread inside. False if there is none.
  private final func notifyUnlessFree() -> Bool {
    var seen = word.load(ordering: .relaxed)
    while true {
      let isFree = seen == 0 || seen == Self.parked
      let step = word.compareExchange(
        expected: seen, desired: isFree ? seen : seen | 1,
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if step.exchanged { return !isFree }
      seen = step.original
    }
  }

  /// Releases those that are over. Called by the thread inside, while it delivers nothing.
  @usableFromInline
  package final func releaseWaiting() {
    while hasWaiting.load(ordering: .relaxed) {
      let owners = lock.withLock { () -> ContiguousArray<any LifecycleOwner> in
        defer { waiting = [] }
        hasWaiting.store(false, ordering: .relaxed)
        return waiting
      }
      for owner in owners { owner.leave() }
    }
  }

  /// Whether no thread is inside, for mirrors.
  final var isIdle: Bool { [0, Self.parked].contains(word.load(ordering: .relaxed)) }
}

extension SerialGate: Reflected {}

/// The address of an object, for an atomic: one of `Unmanaged<…>?` decodes it with a closure, which costs 250 instructions in code that
/// is not optimised.
extension Unmanaged {
  @inlinable @inline(__always)
  package var address: UInt { UInt(bitPattern: toOpaque()) }

  /// `nil` for the address zero.
  @inlinable @inline(__always)
  package init?(at address: UInt) {
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
    self = .fromOpaque(pointer)
  }
}
