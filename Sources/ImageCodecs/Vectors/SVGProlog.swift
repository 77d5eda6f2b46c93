/// The part of a document before its first element.
struct SVGProlog {
  /// The number of bytes that are read.
  static let length = 4_096

  /// In lower case, if the document declares one.
  private(set) var encoding: String?
  private(set) var leadsToSVG = false
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) {
    rest = ArraySlice(bytes.prefix(SVGProlog.length))
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    encoding = declaredEncoding
    repeat { rest = rest.drop { $0 <= 0x20 } } while skipsMarkup()
    guard rest.first == UInt8(ascii: "<") else { return }
    let name = rest.dropFirst().prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    leadsToSVG = name.elementsEqual("svg".utf8) || name.suffix(4).elementsEqual(":svg".utf8)
  }

  private mutating func skipsMarkup() -> Bool {
    if rest.starts(with: "<?".utf8) { return skip(to: "?>") }
    if rest.starts(with: "<!--".utf8) { return skip(to: "-->") }
    guard rest.starts(with: "<!".utf8) else { return false }
    // Declarations in it are refused later, if they matter.
    let hasDeclarations = rest.prefix { $0 != UInt8(ascii: ">") }.contains(UInt8(ascii: "["))
    return skip(to: hasDeclarations ? "]>" : ">")
  }

  private mutating func skip(to mark: StaticString) -> Bool {
    mark.withUTF8Buffer { mark in
      guard let start = rest.indices.first(where: { rest[$0...].starts(with: mark) }) else { return false }
      rest = rest[start...].dropFirst(mark.count)
      return true
    }
  }

  private var declaredEncoding: String? {
    guard rest.starts(with: "<?xml".utf8) else { return nil }
    let declaration = rest.prefix { $0 != UInt8(ascii: ">") }
    let word = "encoding".utf8
    guard let start = declaration.indices.first(where: { declaration[$0...].starts(with: word) }) else {
      return nil
    }
    let value = declaration[start...].drop { !$0.isQuote }.dropFirst().prefix { !$0.isQuote }
    return String(decoding: value, as: UTF8.self).lowercased()
  }
}

extension UInt8 {
  fileprivate var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }
}
