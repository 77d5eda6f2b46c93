public import CThreads

/// Memory for one value, mostly from `malloc`: `UnsafeMutablePointer.allocate` is slower on Linux.
extension UnsafeMutablePointer where Pointee: ~Copyable {
  /// Allocates memory for `value`, until ``close()``.
  @inlinable @inline(__always)
  package static func allocate(initializing value: consuming Pointee) -> Self {
    let place =
      MemoryLayout<Pointee>.alignment <= 16
      ? cthreads_allocate(MemoryLayout<Pointee>.size)!.bindMemory(to: Pointee.self, capacity: 1)
      : Self.allocate(capacity: 1)
    place.initialize(to: value)
    return place
  }

  /// Destroys the value, and frees the memory.
  @inlinable
  package func close() {
    deinitialize(count: 1)
    if MemoryLayout<Pointee>.alignment <= 16 { cthreads_free(self) } else { deallocate() }
  }
}

/// A value by reference: the memory of a stage, or a variable of an operator core.
///
/// A stage's memory is copied out, handed to the rule and stored back, since the rule may call user code that sends again. An
/// array would be copied whole each time it grows. And a captured variable is checked for exclusive access at each use.
@usableFromInline
package final class Box<Value> {
  @exclusivity(unchecked)  // by upstream's serial signals, or inside a drain loop; no user code is called meanwhile
  @usableFromInline var stored: Value

  @inlinable
  package init(_ value: Value) { stored = value }

  /// Another module does not see how the stored one is accessed, and would check it.
  @inlinable @inline(__always)
  package var value: Value {
    get { stored }
    _modify { yield &stored }
  }
}
