public import Synchronization

/// A gate with a mailbox: events are handled one at a time, in order, by whoever is inside.
///
/// A thread that finds somebody inside leaves its event and goes. So does the thread inside itself while something
/// is in the mailbox: what came before is handled before what comes now. Otherwise it handles its own events at
/// once, nested.
@usableFromInline
package struct Reception<Event>: ~Copyable, Sendable {
  @usableFromInline let gate = Gate()
  @usableFromInline let mailbox = Guarded(Fifo<Event>())
  @usableFromInline let hasMail = Atomic(false)

  @inlinable
  package init() {}

  /// For who may handle an event at once: unless busy. Who has entered must ``serve(_:tidy:)``.
  @inlinable @inline(__always)
  package borrowing func enter() -> Gate.Entry {
    let entry = gate.enter()
    return entry == .nested && hasMail.load(ordering: .acquiring) ? .busy : entry
  }

  /// Leaves an event for the one inside.
  ///
  /// - Returns: True if nobody was inside any more. Then the caller is, and must ``serve(_:tidy:)``.
  @inlinable
  package borrowing func leaveBehind(_ event: Event) -> Bool {
    mailbox.withLock { mailbox in
      mailbox.append(event)
      hasMail.store(true, ordering: .releasing)
    }
    return gate.knock()
  }

  /// Handles what was left behind, tidies up, and goes out; again, if somebody has come meanwhile.
  @inlinable @inline(__always)
  package borrowing func serve(_ handle: (Event) -> Void, tidy: () -> Void) {
    repeat {
      readMail(handle)
      tidy()
    } while !gate.leave()
  }

  @inlinable @inline(__always)
  package borrowing func readMail(_ handle: (Event) -> Void) {
    while hasMail.load(ordering: .acquiring), let event = next() { handle(event) }
  }

  /// Has `event` handled: here and now, or by the one who is inside.
  @inlinable
  package borrowing func perform(_ event: Event, _ handle: (Event) -> Void, tidy: () -> Void) {
    switch enter() {
    case .entered:
      handle(event)
      serve(handle, tidy: tidy)
    case .nested: handle(event)
    case .busy: if leaveBehind(event) { serve(handle, tidy: tidy) }
    }
  }

  @usableFromInline
  borrowing func next() -> Event? {
    mailbox.withLock { mailbox in
      let event = mailbox.popFirst()
      if mailbox.isEmpty { hasMail.store(false, ordering: .releasing) }
      return event
    }
  }
}
