internal import CThreads
public import Synchronization

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
