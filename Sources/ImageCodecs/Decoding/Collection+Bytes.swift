extension Collection<UInt8> {
  /// Calls `body` with the bytes in contiguous memory. They are copied if needed.
  package func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws(ImageCodecError) -> Result
  ) throws(ImageCodecError) -> Result {
    // The standard library's function does not rethrow typed errors.
    let result = withContiguousStorageIfAvailable { buffer in
      Swift.Result { () throws(ImageCodecError) in try body(UnsafeRawBufferPointer(buffer)) }
    }
    if let result { return try result.get() }
    return try Array(self).withUnsafeBufferPointer { buffer throws(ImageCodecError) in
      try body(UnsafeRawBufferPointer(buffer))
    }
  }
}
