/// The text of an XMP packet, in which properties are looked up by the address of their namespace and their name.
///
/// Not a parser of XML: it finds attributes and elements whatever surrounds them, in time that is linear in the text.
struct XMPText {
  private let bytes: [UInt8]

  /// The beginning of the segment of a JPEG.
  static let name: StaticString = "http://ns.adobe.com/xap/1.0/\0"

  init(_ view: ByteView) { bytes = view.array }
  private init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

  /// The prefix that the text declares for a namespace; `nil` if there is none.
  func prefix(of address: StaticString) -> String? {
    var search = 0
    while let start = position(of: address.bytes, from: search) {
      search = start + 1
      let end = start + address.utf8CodeUnitCount
      guard start > 0, end < bytes.count, isQuote(bytes[start - 1]), bytes[end] == bytes[start - 1] else {
        continue
      }
      let before = bytes[..<(start - 1)].trimmingEnd { isSpace($0) || $0 == UInt8(ascii: "=") }
      let name = before.suffix { isName($0) && $0 != UInt8(ascii: ":") }
      guard !name.isEmpty, before.dropLast(name.count).hasSuffix("xmlns:") else { continue }
      return String(decoding: name, as: UTF8.self)
    }
    return nil
  }

  /// The texts of a property: one of an attribute, those of all items of an element. Empty if there is none.
  func values(_ prefix: String, _ name: String) -> [String] {
    let full = Array("\(prefix):\(name)".utf8)
    var search = 0
    while let start = position(of: full, from: search) {
      search = start + full.count
      guard start > 0, search < bytes.count, !isName(bytes[start - 1]), !isName(bytes[search]) else {
        continue
      }
      let rest = bytes[search...].drop(while: isSpace)
      if rest.first == UInt8(ascii: "=") {
        let quoted = rest.dropFirst().drop(while: isSpace)
        guard let quote = quoted.first, isQuote(quote) else { continue }
        return [String(decoding: quoted.dropFirst().prefix { $0 != quote }, as: UTF8.self)]
      }
      guard bytes[start - 1] == UInt8(ascii: "<") else { continue }
      let content = rest.drop { $0 != UInt8(ascii: ">") }.dropFirst()
      return texts(in: content, to: Array("</\(prefix):\(name)".utf8))
    }
    return []
  }

  /// The tags of this name, each a text of its own.
  func tags(_ prefix: String, _ name: String) -> [XMPText] {
    var found: [XMPText] = []
    let opening = Array("<\(prefix):\(name)".utf8)
    var search = 0
    while found.count < Self.maximumTags, let start = position(of: opening, from: search) {
      search = start + opening.count
      found.append(XMPText(bytes[start...].prefix { $0 != UInt8(ascii: ">") } + [UInt8(ascii: " ")]))
    }
    return found
  }

  private static let maximumTags = 100

  private func texts(in content: ArraySlice<UInt8>, to end: [UInt8]) -> [String] {
    let stop = position(of: end, from: content.startIndex) ?? content.startIndex
    return content[..<stop].split(separator: UInt8(ascii: "<")).compactMap { piece in
      // What precedes the first tag is text itself.
      let isTagged = piece.startIndex > content.startIndex
      let text = isTagged ? piece.drop { $0 != UInt8(ascii: ">") }.dropFirst() : piece
      let trimmed = text.drop(while: isSpace).trimmingEnd(isSpace)
      return trimmed.isEmpty ? nil : String(decoding: trimmed, as: UTF8.self)
    }
  }

  private func position(of pattern: [UInt8], from start: Int) -> Int? {
    guard let first = pattern.first, bytes.count >= pattern.count else { return nil }
    var index = start
    while index <= bytes.count - pattern.count {
      if bytes[index] == first, bytes[index..<index + pattern.count].elementsEqual(pattern) { return index }
      index += 1
    }
    return nil
  }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
private func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

private func isName(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
    0x80...:
    true
  default: false
  }
}

extension ArraySlice<UInt8> {
  fileprivate func trimmingEnd(_ isDropped: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    var end = endIndex
    while end > startIndex, isDropped(self[end - 1]) { end -= 1 }
    return self[startIndex..<end]
  }

  fileprivate func suffix(while isKept: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    self[trimmingEnd(isKept).endIndex...]
  }

  fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
