/// An entity tag. It is weak if responses with this tag may differ in their bytes.
package struct EntityTag: Hashable, Sendable {
  package let opaque: String
  package let isWeak: Bool

  /// `"abc"` or `W/"abc"`; `nil` for anything else.
  package init?(_ text: String) {
    let text = trimmed(text)
    isWeak = text.hasPrefix("W/")
    opaque = isWeak ? String(text.dropFirst(2)) : text
    let inside = opaque.utf8.dropFirst().dropLast()
    guard opaque.utf8.count >= 2, opaque.hasPrefix("\""), opaque.hasSuffix("\""),
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
