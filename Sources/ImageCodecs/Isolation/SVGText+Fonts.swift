extension SVGText {
  /// Whether a document may have an element `text`, under whatever prefix. Names of elements cannot be written otherwise.
  static func hasText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let name = Array("text".utf8)
    return bytes.indices.contains { index in
      guard bytes[index] == UInt8(ascii: "<") || bytes[index] == UInt8(ascii: ":"),
        bytes[(index + 1)...].starts(with: name)
      else { return false }
      let end = index + 1 + name.count
      return end < bytes.count && [0x20, 0x09, 0x0A, 0x0D, 0x2F, 0x3E].contains(bytes[end])
    }
  }
}
