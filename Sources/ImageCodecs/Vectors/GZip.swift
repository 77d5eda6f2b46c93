import CCodecs

/// Decompresses gzip files (RFC 1952).
enum GZip {
  static func isSigned(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B, 0x08]) }

  /// Returns the content of all members.
  ///
  /// - Complexity: O(n) in the sum of both sizes.
  static func content(
    of bytes: UnsafeRawBufferPointer, maximumByteCount: Int
  ) throws(ImageCodecError) -> [UInt8] {
    let (content, status) = inflate(bytes, capacity: min(maximumByteCount, .max - 1) + 1)
    guard content.count <= maximumByteCount else { throw .limitExceeded(.encodedBytes(maximumByteCount)) }
    switch status {
    case .done: return content
    case .truncated: throw .truncated
    case .outOfMemory: throw .outOfMemory
    default: throw .corrupt("damaged gzip data")
    }
  }

  /// Returns the first bytes of the content, as far as the file goes and is not damaged.
  static func opening(of bytes: UnsafeRawBufferPointer, maximumByteCount: Int) -> [UInt8] {
    inflate(bytes, capacity: maximumByteCount).content
  }

  private static func inflate(
    _ bytes: UnsafeRawBufferPointer, capacity: Int
  ) -> (content: [UInt8], status: CodecStatus) {
    var status = CodecStatus.truncated
    // No file grows by more. Pages that are not written cost nothing.
    let capacity = max(1, min(capacity, bytes.count * 1_032))
    let content = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      guard let content = buffer.baseAddress, let start = bytes.baseAddress else { return }
      status = codec_gzip_inflate(
        start.assumingMemoryBound(to: UInt8.self), bytes.count, content, capacity, &count)
    }
    return (content, status)
  }
}
