/// An entity tag. It is weak if responses with this tag may differ in their bytes.
package struct EntityTag: Hashable, Sendable {
  package let opaque: String
  package let isWeak: Bool

  /// `"abc"` or `W/"abc"`; `nil` for anything else.
  package init?(_ text: String) {
    let bytes = trimmed(text).utf8
    isWeak = bytes.starts(with: "W/".utf8)
    opaque = String(decoding: bytes.dropFirst(isWeak ? 2 : 0), as: UTF8.self)
    let (inside, mark) = (opaque.utf8.dropFirst().dropLast(), UInt8(ascii: "\""))
    guard opaque.utf8.count >= 2, opaque.utf8.first == mark, opaque.utf8.last == mark,
      inside.allSatisfy({ $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 })
    else { return nil }
  }

  package var text: String { (isWeak ? "W/" : "") + opaque }

  /// Whether both tags are strong and equal. Then the bytes are the same.
  package func isStronglyEqual(to other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && opaque.hasSameBytes(as: other.opaque)
  }

  /// Whether the tags are equal apart from weakness. If so, either response may be used in place of the other.
  package func isWeaklyEqual(to other: EntityTag) -> Bool { opaque.hasSameBytes(as: other.opaque) }
}
