internal import CThreads
internal import Interleavings

/// In place of the product's lock: the explorer knows who holds it and who waits.
@usableFromInline
package struct Lock: ~Copyable, @unchecked Sendable {  // the fibers that use it have one thread in common
  /// Zero if free, else the number of the fiber that holds it, plus one.
  private let owner: UnsafeMutablePointer<Int>
  private let object: Int

  @usableFromInline
  package init() {
    owner = .allocate(capacity: 1)
    owner.initialize(to: 0)
    object = Explorer.shared.newObject()
  }

  @usableFromInline
  deinit { owner.deallocate() }

  @usableFromInline
  package borrowing func withLock<Result, Thrown: Error>(
    _ body: () throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    take()
    defer { give() }
    return try body()
  }

  @usableFromInline
  borrowing func take() {
    Explorer.shared.acquire(owner, object)
    cthreads_opaque()
  }

  @usableFromInline
  borrowing func give() {
    cthreads_opaque()
    Explorer.shared.release(owner, object)
  }
}
