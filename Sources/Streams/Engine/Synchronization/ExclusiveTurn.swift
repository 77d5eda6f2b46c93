internal import CThreads
internal import Synchronization

/// Lets one thread at a time into a section of the user's, in which that thread may enter again.
///
/// The only place where a lock is held while the user's code runs: the user has asked for that.
@usableFromInline
package final class ExclusiveTurn: Sendable {
  private let lock = Lock()
  /// The thread inside, or zero. Exact for whoever asks about its own number, since only that thread writes it.
  private let holder = Atomic<UInt>(0)

  @usableFromInline
  package init() {}

  /// Runs `body` while no other thread is inside.
  @inlinable
  package func run<Result, Thrown: Error>(
    _ body: () throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    let isOuter = take()
    defer { if isOuter { give() } }
    return try body()
  }

  /// False if this thread is inside already.
  @usableFromInline
  func take() -> Bool {
    let me = cthreads_current()
    if holder.load(ordering: .relaxed) == me { return false }
    lock.take()
    holder.store(me, ordering: .relaxed)
    return true
  }

  @usableFromInline
  func give() {
    holder.store(0, ordering: .relaxed)
    lock.give()
  }
}

extension ExclusiveTurn: Reflected {}
