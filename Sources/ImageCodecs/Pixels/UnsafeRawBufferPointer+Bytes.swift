extension UnsafeRawBufferPointer {
  /// The same memory as a pointer for C functions.
  var bytes: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawBufferPointer {
  /// The same memory as a pointer for C functions.
  var bytes: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
