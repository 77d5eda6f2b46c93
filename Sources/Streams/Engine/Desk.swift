/// Upstreams that an operator opens and closes as it likes, for one downstream that it sends what it likes.
///
/// All of that happens inside one reception: what upstreams say, what downstream asks for, what a timer wants. So an
/// operator is written as if there were one thread, and keeps its state in plain variables. A value for which there
/// is no demand waits, in order. One upstream may be the lead: it is asked for what downstream asks for.
@usableFromInline
// Sendable: it has nothing that the bureau has not.
package final class Desk<Downstream: Subscriber>: Bureau, @unchecked Sendable {
  @usableFromInline package typealias Output = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure
  @usableFromInline typealias Contents = DeskContents<Downstream>

  @inlinable
  package init(_ name: String, to downstream: Downstream) {
    super.init(
      name, UnsafeMutableRawPointer(UnsafeMutablePointer.lodging(Contents(Exit(downstream)))),
      close: { $0.assumingMemoryBound(to: Contents.self).close() },
      sendWhatWaits: { unsafeDowncast($0, to: Desk.self).drain() })
  }

  /// What is there until the stream is over.
  @inlinable @inline(__always)
  var contents: UnsafeMutablePointer<Contents> {
    place.unsafelyUnwrapped.assumingMemoryBound(to: Contents.self)
  }

  /// Hands `downstream` its subscription, and then has `wire` bring the upstreams, inside the reception.
  @inlinable @inline(__always)
  package static func start(
    _ name: String, for downstream: Downstream, wire: @escaping (Desk) -> Void
  ) {
    let desk = Desk(name, to: downstream)
    downstream.receive(subscription: desk)
    desk.run { wire(desk) }
  }

  /// Told when downstream has asked for more. It must not hold the desk.
  @inlinable
  package func whenAsked(_ body: @escaping (Desk) -> Void) {
    onAsked = { body(unsafeDowncast($0, to: Desk.self)) }
  }
}

/// Where a ``Desk`` sends, what waits, and what comes after that.
@frozen @usableFromInline
struct DeskContents<Downstream: Subscriber>: ~Copyable {
  @usableFromInline let exit: Exit<Downstream>
  @usableFromInline var waiting = Fifo<(Downstream.Input, DeskLink?)>()
  @usableFromInline var ending: Subscribers.Completion<Downstream.Failure>?

  @inlinable
  init(_ exit: consuming Exit<Downstream>) { self.exit = exit }
}
