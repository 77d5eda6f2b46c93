/// The text of a document, checked before a library parses it.
///
/// Nothing that is refused can be hidden from this check: the encoding is a superset of ASCII, entities are refused,
/// and character references and the escapes of style sheets are resolved.
struct SVGText {
  /// An upper bound, because elements in comments are counted too.
  let elementCount: Int

  /// In UTF-8, or in another superset of ASCII that the document declares.
  let bytes: [UInt8]

  /// - Parameter maximumByteCount: The limit of the text after decompression.
  init(_ file: UnsafeRawBufferPointer, maximumByteCount: Int) throws(ImageCodecError) {
    let plain =
      GZip.isSigned(file) ? try GZip.content(of: file, maximumByteCount: maximumByteCount) : Array(file)
    let text = try SVGEncoding.converted(plain)
    // With a zero byte, the text may be in a wider encoding.
    guard !text.contains(0) else { throw .unsupportedFeature("an SVG that is not in UTF-8") }
    let resolved = SVGText.resolved(text)
    try SVGText.check(resolved)
    if resolved.contains(UInt8(ascii: "\\")) { try SVGText.check(SVGText.unescaped(resolved)) }
    elementCount = zip(text, text.dropFirst()).reduce(0) { count, pair in
      pair.0 == UInt8(ascii: "<") && pair.1.startsName ? count + 1 : count
    }
    bytes = text
  }

  /// Words that are refused, with the reason. Images in `data:` would be decoded without limits; these filters need
  /// time proportional to the square of the pixels.
  private static let refused: [(word: [UInt8], meaning: String)] = [
    (Array("<!entity".utf8), "entities in an SVG"),
    (Array("femorphology".utf8), "feMorphology in an SVG"),
    (Array("feconvolvematrix".utf8), "feConvolveMatrix in an SVG"),
    (Array("feturbulence".utf8), "feTurbulence in an SVG"),
  ]

  private static func check(_ broken: [UInt8]) throws(ImageCodecError) {
    // URL parsers ignore these wherever they are.
    let text = broken.filter { !$0.isBreak }
    var last: UInt8 = 0
    for index in text.indices {
      let byte = text[index]
      defer { last = byte }
      // The first letters of all words; most text has none of them.
      guard byte == UInt8(ascii: "<") || byte == UInt8(ascii: "f") || byte == UInt8(ascii: "d") else {
        continue
      }
      let rest = text[index...]
      for (word, meaning) in refused where rest.starts(with: word) { throw .unsupportedFeature(meaning) }
      // After another letter it is part of another word, such as `metadata:`.
      if !last.continuesScheme, rest.starts(with: "data:".utf8) {
        throw .unsupportedFeature("data: in an SVG")
      }
    }
  }

  /// In lower case, with character references resolved.
  private static func resolved(_ text: [UInt8]) -> [UInt8] {
    var resolved: [UInt8] = []
    resolved.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      var byte = text[index]
      index += 1
      if byte == UInt8(ascii: "&"), let (value, end) = numbered(text, index) { (byte, index) = (value, end) }
      resolved.append(byte.lowercase)
    }
    return resolved
  }

  /// The character of a numeric reference after `&`, if it is ASCII.
  private static func numbered(_ text: [UInt8], _ start: Int) -> (UInt8, Int)? {
    guard start < text.count, text[start] == UInt8(ascii: "#") else { return nil }
    var index = start + 1
    var radix = 10
    if index < text.count, text[index] == UInt8(ascii: "x") { (radix, index) = (16, index + 1) }
    var value = 0
    while index < text.count, let digit = text[index].digit, digit < radix {
      value = min(value * radix + digit, 0x10_FFFF)
      index += 1
    }
    guard index < text.count, text[index] == UInt8(ascii: ";"), value < 0x80 else { return nil }
    return (UInt8(value), index + 1)
  }

  /// With the escapes of style sheets resolved.
  private static func unescaped(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "\\") else {
        result.append(text[index])
        index += 1
        continue
      }
      index += 1
      var (value, digits) = (0, 0)
      while digits < 6, index < text.count, let digit = text[index].digit {
        (value, digits, index) = (value * 16 + digit, digits + 1, index + 1)
      }
      guard digits > 0 else { continue }
      result.append(value < 0x80 ? UInt8(value).lowercase : 0x80)
      // One blank after the number belongs to it.
      if index < text.count, text[index] == 0x20 || text[index].isBreak { index += 1 }
    }
    return result
  }

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

extension UInt8 {
  fileprivate var lowercase: UInt8 { (0x41...0x5A).contains(self) ? self + 0x20 : self }

  fileprivate var digit: Int? {
    switch self {
    case 0x30...0x39: Int(self) - 0x30
    case 0x41...0x46, 0x61...0x66: Int(lowercase) - 0x57
    default: nil
    }
  }

  fileprivate var isBreak: Bool { self == 0x09 || self == 0x0A || self == 0x0D }
  fileprivate var isLetter: Bool { (0x61...0x7A).contains(lowercase) }
  fileprivate var startsName: Bool { isLetter || self == UInt8(ascii: "_") || self >= 0x80 }
  fileprivate var continuesScheme: Bool { isLetter || (0x30...0x39).contains(self) }
}
