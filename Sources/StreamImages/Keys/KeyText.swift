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
