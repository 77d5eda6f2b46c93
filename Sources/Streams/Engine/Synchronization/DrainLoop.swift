public import Synchronization

/// A serial gate with a mailbox: events are handled one at a time, in order, by the thread that is inside.
///
/// A thread that finds another inside leaves its event in the mailbox, and returns. So does the thread inside while the
/// mailbox is not empty: earlier events are handled first. Otherwise it handles its own events at once, nested.
@usableFromInline
package struct DrainLoop<Event>: ~Copyable, Sendable {
  @usableFromInline let gate = SerialGate()
  @usableFromInline let mailbox = Guarded(RingQueue<Event>())
  /// Relaxed: the mailbox has its lock, and the gate orders each notification before the drain that follows.
  @usableFromInline let hasMail = Atomic(false)

  @inlinable
  package init() {}

  /// Whether the caller may handle an event at once. After `.entered` it must call ``drainAndLeave(_:cleanUp:)``.
  @inlinable @inline(__always)
  package borrowing func enter() -> SerialGate.Entry {
    let entry = gate.enter()
    return entry == .nested && hasMail.load(ordering: .relaxed) ? .busy : entry
  }

  /// Leaves an event for the thread inside.
  ///
  /// - Returns: True if no thread was inside any more. Then the caller is, and must call ``drainAndLeave(_:cleanUp:)``.
  @inlinable
  package borrowing func enqueue(_ event: Event) -> Bool {
    mailbox.withLock { mailbox in
      mailbox.append(event)
      hasMail.store(true, ordering: .relaxed)
    }
    return gate.notify()
  }

  /// Handles the events in the mailbox, cleans up, and leaves; again, if another thread has left an event meanwhile.
  @inlinable @inline(__always)
  package borrowing func drainAndLeave(_ handle: (Event) -> Void, cleanUp: () -> Void) {
    repeat {
      drainMailbox(handle)
      cleanUp()
    } while !gate.leave()
  }

  @inlinable @inline(__always)
  package borrowing func drainMailbox(_ handle: (Event) -> Void) {
    while hasMail.load(ordering: .relaxed), let event = next() { handle(event) }
  }

  /// Handles `event` at once, or leaves it for the thread inside.
  @inlinable
  package borrowing func perform(_ event: Event, _ handle: (Event) -> Void, cleanUp: () -> Void) {
    switch enter() {
    case .entered:
      handle(event)
      drainAndLeave(handle, cleanUp: cleanUp)
    case .nested: handle(event)
    case .busy: if enqueue(event) { drainAndLeave(handle, cleanUp: cleanUp) }
    }
  }

  @usableFromInline
  borrowing func next() -> Event? {
    mailbox.withLock { mailbox in
      let event = mailbox.popFirst()
      if mailbox.isEmpty { hasMail.store(false, ordering: .relaxed) }
      return event
    }
  }
}
