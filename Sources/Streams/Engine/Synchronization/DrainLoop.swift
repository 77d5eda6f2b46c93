public import CThreads
public import Synchronization

/// The owner of a ``DrainLoop``.
@usableFromInline
package protocol DrainLoopOwner: AnyObject {
  associatedtype Event

  /// Called inside the loop only.
  func handle(_ event: Event)

  /// Called inside the loop before it is left.
  func cleanUp()

  /// Goes on where a call has handed over: ``DrainLoop/resume(for:)``.
  func resume()
}

/// A serial gate with a mailbox: events are handled one at a time, in order, by the thread that is inside.
///
/// A thread that finds another inside leaves its event in the mailbox, and returns, after a short wait if the mailbox is
/// full. The thread inside leaves its event there, too, while there are earlier ones. Otherwise it handles its own events
/// at once, nested.
///
/// A call handles a ``Burst`` of other threads' events. If there are more, it hands the loop over: the next thread that
/// leaves an event goes on with the next burst, or one of the ``DrainThreads`` with all of them, whichever comes first. If
/// the system has no thread left, the call goes on.
@usableFromInline
package final class DrainLoop<Event>: SerialGate, @unchecked Sendable {  // the mailbox has the lock
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var mailbox = RingQueue<Mail>()
  /// Relaxed: the mailbox has the lock, and the gate orders each notification before the drain that follows.
  @usableFromInline let hasMail = Atomic(false)
  /// Whether one of the ``DrainThreads`` was called, and has not come.
  @usableFromInline package let isHelpOnItsWay = Atomic(false)
  /// One while the mailbox is full. Senders sleep on it.
  @usableFromInline let isFull = Atomic<UInt32>(0)

  @frozen @usableFromInline
  struct Mail {
    @usableFromInline let event: Event
    /// The thread that left it, if that was inside; else zero.
    @usableFromInline let nestedSender: UInt

    @inlinable
    init(_ event: Event, by nestedSender: UInt) {
      self.event = event
      self.nestedSender = nestedSender
    }
  }

  @inlinable
  package override init() {}

  /// Whether the caller may handle an event at once. After `.entered` it must call ``drainAndLeave(for:)``.
  @inlinable @inline(__always)
  package func enterInOrder() -> Entry {
    let entry = enter()
    return entry == .nested && hasMail.load(ordering: .relaxed) ? .busy : entry
  }

  /// Leaves an event for the thread inside.
  ///
  /// - Returns: True if no thread is inside any more. Then the caller is, and must call ``drainAndLeave(for:)``.
  @inlinable
  package func enqueue(_ event: Event) -> Bool {
    let mail = Mail(event, by: isInside ? cthreads_current() : 0)
    lock.withLock {
      mailbox.append(mail)
      hasMail.store(true, ordering: .relaxed)
      if mailbox.count > MailboxBound.most { isFull.store(1, ordering: .relaxed) }
    }
    return notify()
  }

  /// Takes back the event that ``enqueue(_:)`` let the caller in for, if no other waits. Others exclude each other meanwhile.
  ///
  /// - Returns: How many waited: none if the thread that was inside has handled the event; more than one if a thread is called for
  ///   them already.
  @usableFromInline
  package func takeBack() -> Int {
    let count = lock.withLock { mailbox.count }
    if count == 1 { _ = next() }
    return count
  }

  /// The same as ``enqueue(_:)`` for a value. Unless the caller is inside, it waits while the mailbox is full, but not for long.
  @inlinable
  package func enqueueValue(_ event: Event) -> Bool {
    if enqueue(event) { return true }
    waitForRoom()
    return false
  }

  /// Back-pressure, to be called where a value was left for another thread, and no lock is held.
  @inlinable
  package func waitForRoom() {
    if isFull.load(ordering: .relaxed) == 1, !isInside { MailboxBound.wait(while: isFull) }
  }

  /// Handles the events in the mailbox, cleans up, and leaves; again, if another thread has left an event meanwhile.
  @inlinable @inline(__always)
  package func drainAndLeave<Owner: DrainLoopOwner>(for owner: Owner) where Owner.Event == Event {
    if !hasMail.load(ordering: .relaxed) {
      owner.cleanUp()
      if leave() { return }
    }
    drainBurst(for: owner)
  }

  @inlinable @inline(never)
  func drainBurst<Owner: DrainLoopOwner>(for owner: Owner) where Owner.Event == Event {
    var burst = Burst()
    repeat {
      releaseWaiting()
      while hasMail.load(ordering: .relaxed) {
        guard let mail = next() else { break }
        owner.handle(mail.event)
        if mail.nestedSender != cthreads_current() { burst.count() }
        if burst.isOver, hasMail.load(ordering: .relaxed) {
          owner.cleanUp()
          releaseWaiting()
          if handOver({ owner.resume() }) { return }
          burst = Burst(isEndless: true)
        }
      }
      owner.cleanUp()
    } while !leave()
  }

  /// Leaves although there is mail: the next thread goes on. False if the caller must go on, as no other thread is to be had.
  @usableFromInline
  func handOver(_ resume: @escaping () -> Void) -> Bool {
    park()
    // Help that has not come will find the gate parked: the exchange orders this, whichever is first.
    if isHelpOnItsWay.exchange(true, ordering: .releasing) { return true }
    if DrainThreads.run(resume) { return true }
    guard isHelpOnItsWay.exchange(false, ordering: .acquiring) else { return true }
    return !adopt()
  }

  /// Goes on where a call has handed over, until nothing is left. Does nothing if another thread goes on already.
  @inlinable @inline(__always)
  package func resume<Owner: DrainLoopOwner>(for owner: Owner) where Owner.Event == Event {
    _ = isHelpOnItsWay.exchange(false, ordering: .acquiring)
    guard adopt() else { return }
    repeat {
      releaseWaiting()
      while hasMail.load(ordering: .relaxed), let mail = next() { owner.handle(mail.event) }
      owner.cleanUp()
    } while !leave()
  }

  /// Handles `event` at once, or leaves it for the thread inside.
  @inlinable @inline(__always)
  package func perform<Owner: DrainLoopOwner>(_ event: Event, for owner: Owner)
  where Owner.Event == Event {
    let entry = enterInOrder()
    if entry == .busy {
      if enqueue(event) { drainAndLeave(for: owner) }
      return
    }
    owner.handle(event)
    if entry == .entered { drainAndLeave(for: owner) }
  }

  @usableFromInline
  func next() -> Mail? {
    let (mail, hasRoomAgain) = lock.withLock { () -> (Mail?, Bool) in
      let mail = mailbox.popFirst()
      if mailbox.isEmpty { hasMail.store(false, ordering: .relaxed) }
      guard isFull.load(ordering: .relaxed) == 1, mailbox.count <= MailboxBound.enough else {
        return (mail, false)
      }
      isFull.store(0, ordering: .relaxed)
      return (mail, true)
    }
    if hasRoomAgain { MailboxBound.wakeAll(isFull) }
    return mail
  }
}

/// When a mailbox is full, and what senders do then: they wait until there is room, but five milliseconds at most.
///
/// So a flood is slowed down, unless a subscriber takes longer than that for a value. A wait has an end, because two threads
/// that send into each other's gates would otherwise wait for ever.
@usableFromInline
package enum MailboxBound {
  /// With more than so many events, a mailbox is full.
  @inlinable package static var most: Int { 1024 }
  /// With so many, it has room again. A few less, so that senders are not woken for each event.
  @inlinable static var enough: Int { 1008 }
  private static var longest: UInt64 { 5_000_000 }

  @usableFromInline
  static func wait(while isFull: borrowing Atomic<UInt32>) {
    withUnsafePointer(to: isFull) {
      cthreads_wait_briefly(UnsafeMutableRawPointer(mutating: $0), 1, longest)
    }
  }

  /// Waits that long. For a place whose room nobody signals.
  static func pause() { wait(while: Atomic<UInt32>(1)) }

  static func wakeAll(_ isFull: borrowing Atomic<UInt32>) {
    withUnsafePointer(to: isFull) { cthreads_wake_all(UnsafeMutableRawPointer(mutating: $0)) }
  }
}
