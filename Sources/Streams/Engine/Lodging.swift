public import CThreads

/// What an engine lets go of when the stream is over lies in a place of its own on the heap.
///
/// A field whose type depends on the engine's type parameters would have its type looked up where the engine is
/// let go of, since `deinit` never knows them, each time and even if the field is empty. A pointer is just dropped.
extension UnsafeMutablePointer where Pointee: ~Copyable {
  /// A place for `value`, until ``close()``.
  @inlinable @inline(__always)
  package static func lodging(_ value: consuming Pointee) -> Self {
    let place =
      MemoryLayout<Pointee>.alignment <= 16
      ? cthreads_allocate(MemoryLayout<Pointee>.size)!.bindMemory(to: Pointee.self, capacity: 1)
      : Self.allocate(capacity: 1)
    place.initialize(to: value)
    return place
  }

  /// Lets go of what is here, and of the place.
  @inlinable
  package func close() {
    deinitialize(count: 1)
    if MemoryLayout<Pointee>.alignment <= 16 { cthreads_free(self) } else { deallocate() }
  }
}
