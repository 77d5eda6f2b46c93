internal import CThreads
internal import Interleavings

/// In place of the product's lock: the explorer knows which fiber holds it and which wait.
@usableFromInline
package struct Lock: ~Copyable, @unchecked Sendable {  // the fibers that use it share one thread
  private let place = Explorer.shared.newPlace()

  @usableFromInline
  package init() {}

  @usableFromInline
  deinit { Explorer.shared.end(place) }

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
    Explorer.shared.acquire(place)
    cthreads_opaque()
  }

  @usableFromInline
  borrowing func give() {
    cthreads_opaque()
    Explorer.shared.release(place)
  }
}
