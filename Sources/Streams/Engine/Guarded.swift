/// A value that can be reached only while its lock is held.
@frozen @usableFromInline
package struct Guarded<Value>: ~Copyable, @unchecked Sendable {  // the lock is what makes it so
  @usableFromInline let lock = Lock()
  @usableFromInline let value: UnsafeMutablePointer<Value>

  @inlinable
  package init(_ value: Value) { self.value = .lodging(value) }

  @inlinable
  deinit { value.close() }

  /// Runs `body` with the value. What must be called out to, `body` returns.
  @inlinable @inline(__always)
  package borrowing func withLock<Result, Thrown: Error>(
    _ body: (inout Value) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    let value = self.value
    return try lock.withLock { () throws(Thrown) in try body(&value.pointee) }
  }
}
