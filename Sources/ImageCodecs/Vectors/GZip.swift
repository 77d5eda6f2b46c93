/// Decompresses gzip files (RFC 1952).
///
/// In Swift, because a program reads them before a worker process does, and nobody has checked them.
struct GZip {
  static func isSigned(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B, 0x08]) }

  /// Returns the content of all members.
  ///
  /// - Complexity: O(n) in the sum of both sizes.
  static func content(
    of bytes: UnsafeRawBufferPointer, maximumByteCount: Int
  ) throws(ImageCodecError) -> [UInt8] {
    var (content, rest) = ([UInt8](), bytes[...])
    repeat {
      try skipHeader(&rest)
      var inflater = Inflater(rest, outputLimit: maximumByteCount - content.count)
      try inflater.run()
      guard !inflater.isFull else { throw .limitExceeded(.encodedBytes(maximumByteCount)) }
      rest = inflater.rest
      guard rest.count >= 8 else { throw .truncated }
      guard number(rest.prefix(4)) == CRC32.of(inflater.output),
        number(rest.dropFirst(4).prefix(4)) == UInt32(truncatingIfNeeded: inflater.output.count)
      else { throw .corrupt("gzip with another checksum") }
      content += inflater.output
      rest = rest.dropFirst(8)
      // Other bytes behind a member are ignored, as gzip does.
    } while isSigned(rest)
    return content
  }

  /// Returns the first bytes of the content, as far as the file goes and is not damaged.
  static func opening(of bytes: UnsafeRawBufferPointer, maximumByteCount: Int) -> [UInt8] {
    var rest = bytes[...]
    guard (try? skipHeader(&rest)) != nil else { return [] }
    var inflater = Inflater(rest, outputLimit: maximumByteCount)
    try? inflater.run()
    return inflater.output
  }

  private static func skipHeader(_ rest: inout Slice<UnsafeRawBufferPointer>) throws(ImageCodecError) {
    guard rest.count >= 10 else { throw .truncated }
    let flags = rest[rest.startIndex + 3]
    rest = rest.dropFirst(10)
    if flags & 0x04 != 0 {
      guard rest.count >= 2 else { throw .truncated }
      rest = rest.dropFirst(2 + Int(number(rest.prefix(2))))
    }
    // A name and a comment, each with a final zero.
    for flag: UInt8 in [0x08, 0x10] where flags & flag != 0 {
      guard let end = rest.firstIndex(of: 0) else { throw .truncated }
      rest = rest[(end + 1)...]
    }
    if flags & 0x02 != 0 { rest = rest.dropFirst(2) }
  }

  private static func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
