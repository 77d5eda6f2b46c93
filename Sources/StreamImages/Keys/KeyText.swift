internal import CCrypto
internal import Foundation

/// Text in a key, compared by its bytes.
///
/// Swift considers strings equal that look the same, such as "é" as one code point and as two. A server considers them
/// different, and so may the program: they can be the names of two users.
package struct KeyText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: KeyText, right: KeyText) -> Bool { left.text.hasSameBytes(as: right.text) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // Otherwise "ab" and "c" would have the hash of "a" and "bc".
    hasher.combine(0xFF as UInt8)
  }
}

extension String {
  /// Whether the UTF-8 of both is equal.
  func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var (left, right) = (self, other)
    return left.withUTF8 { left in
      right.withUTF8 { right in left.isEmpty || memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0
      }
    }
  }

  /// In lower case, but for characters that are not ASCII: `lowercased()` turns the Kelvin sign into a "k".
  var lowercasedASCII: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
    return String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

/// An encoding of fields in which different lists of fields have different bytes.
///
/// Each field is preceded by its length, so a URL that ends like the name of a processor is still distinguished.
package struct CanonicalBytes {
  package private(set) var bytes: [UInt8] = []

  /// - Parameter domain: The kind of list. Lists of different kinds differ.
  package init(_ domain: String) { append(domain) }

  package mutating func append(_ field: String) {
    append(count: field.utf8.count)
    bytes.append(contentsOf: field.utf8)
  }

  /// An absent field differs from an empty one.
  package mutating func append(_ field: String?) {
    append(count: field == nil ? 0 : 1)
    if let field { append(field) }
  }

  package mutating func append(_ fields: [String]) {
    append(count: fields.count)
    for field in fields { append(field) }
  }

  private mutating func append(count: Int) {
    withUnsafeBytes(of: UInt64(count).littleEndian) { bytes.append(contentsOf: $0) }
  }
}

/// SHA-256, for the names of files and for secrets in keys. Computed by libcrypto.
package enum SHA256 {
  /// The hash of `bytes` as 64 lower-case hexadecimal digits.
  package static func hex(_ bytes: [UInt8]) -> String { bytes.withUnsafeBytes { hex($0) } }

  static func hex(_ data: Data) -> String { data.withUnsafeBytes { hex($0) } }

  private static func hex(_ bytes: UnsafeRawBufferPointer) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digest in
      _ = CCrypto.SHA256(bytes.baseAddress, bytes.count, digest.baseAddress)
      return String(unsafeUninitializedCapacity: 64) { text in
        for (index, byte) in digest.enumerated() {
          text[2 * index] = digit(byte >> 4)
          text[2 * index + 1] = digit(byte & 15)
        }
        return 64
      }
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
