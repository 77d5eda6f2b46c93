internal import CThreads
internal import Interleavings

/// In place of the product's lock: the explorer knows which thread holds it and which wait. Taking it is one step.
@usableFromInline
package struct Lock: ~Copyable, Sendable {
  private let number = Explorer.shared.newObject()

  @usableFromInline
  package init() {}

  @usableFromInline
  package borrowing func withLock<Result, Thrown: Error>(
    _ body: () throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    take()
    defer { give() }
    return try body()
  }

  @usableFromInline
  package borrowing func take() {
    Explorer.shared.acquire(number)
    cthreads_opaque()
  }

  @usableFromInline
  package borrowing func give() {
    cthreads_opaque()
    Explorer.shared.release(number)
  }
}
