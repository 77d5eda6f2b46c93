/// A value that can be reached only while its lock is held.
@usableFromInline
package final class Guarded<Value>: @unchecked Sendable {  // the lock is what makes it so
  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var value: Value

  @inlinable
  package init(_ value: Value) { self.value = value }

  /// Runs `body` with the value. Call out only after that, with what `body` returns.
  @inlinable @inline(__always)
  package func withLock<Result, Thrown: Error>(
    _ body: (inout Value) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    try lock.withLock { () throws(Thrown) in try body(&value) }
  }
}

extension Guarded: Reflected {}
