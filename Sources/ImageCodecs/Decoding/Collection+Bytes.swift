extension Collection<UInt8> {
  /// Calls `body` with the bytes in one piece. They are copied if they are not.
  func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws(ImageCodecError) -> Result
  ) throws(ImageCodecError) -> Result {
    // The standard library's method passes on no typed error.
    let result = withContiguousStorageIfAvailable { buffer in
      Swift.Result { () throws(ImageCodecError) in try body(UnsafeRawBufferPointer(buffer)) }
    }
    if let result { return try result.get() }
    return try Array(self).withUnsafeBufferPointer { buffer throws(ImageCodecError) in
      try body(UnsafeRawBufferPointer(buffer))
    }
  }
}
