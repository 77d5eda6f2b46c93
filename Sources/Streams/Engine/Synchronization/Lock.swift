public import CThreads
public import Synchronization

/// The only lock. It is never held while calling out, except by ``ExclusiveTurn``.
///
/// An atomic word rather than `Mutex`: the thread sanitizer sees through it.
///
/// Both ends are opaque to Swift's optimizer. It may otherwise leave out the retain of a reference that is copied out under the
/// lock and used after it, as if no other thread could release the object in between.
@usableFromInline
package struct Lock: ~Copyable, Sendable {
  /// 0 free, 1 held, 2 held and a thread sleeps.
  @usableFromInline let word = Atomic<UInt32>(0)

  @inlinable
  package init() {}

  /// Runs `body` while the lock is held.
  @inlinable @inline(__always)
  package borrowing func withLock<Result, Thrown: Error>(
    _ body: () throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    take()
    defer { give() }
    return try body()
  }

  @inlinable @inline(__always)
  package borrowing func take() {
    let free = word.compareExchange(
      expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed)
    if !free.exchanged { wait() }
    cthreads_opaque()
  }

  @inlinable @inline(__always)
  package borrowing func give() {
    cthreads_opaque()
    if word.exchange(0, ordering: .releasing) == 2 { wake() }
  }

  @usableFromInline
  borrowing func wait() {
    for _ in 0..<64 where word.load(ordering: .relaxed) == 0 {
      let free = word.compareExchange(
        expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed)
      if free.exchanged { return }
    }
    while word.exchange(2, ordering: .acquiring) != 0 {
      withUnsafePointer(to: word) { cthreads_wait(UnsafeMutableRawPointer(mutating: $0), 2) }
    }
  }

  @usableFromInline
  borrowing func wake() {
    withUnsafePointer(to: word) { cthreads_wake(UnsafeMutableRawPointer(mutating: $0)) }
  }
}
