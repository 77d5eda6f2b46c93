import ImageCodecs
import Testing

@Suite("SVG text encodings", .enabled(if: Drawing.isPossible, "librsvg is not there"))
struct SVGEncodingTests {
  /// Draws something only if these names are equal in what the library parses: a link by a name in other letters.
  private func text(_ name: String, encoding: String?) -> String {
    let declaration = encoding.map { #"<?xml version="1.0" encoding="\#($0)"?>"# + "\n" } ?? ""
    return declaration
      + Drawing.document(
        ##"<defs><rect id="\##(name)" width="9" height="9"/></defs><use xlink:href="#\##(name)"/>"##)
  }

  private func utf8(_ name: String) throws -> Image { try Drawing.image(text(name, encoding: nil)) }

  @Test("An SVG in a declared encoding draws like in UTF-8")
  func declared() throws {
    let encodings: [(String, String, [UInt8])] = [
      ("windows-1251", "Ж", [0xC6]), ("WINDOWS-1251", "я", [0xFF]), ("windows-1250", "ř", [0xF8]),
      ("windows-1253", "λ", [0xEB]), ("windows-1252", "ß", [0xDF]), ("koi8-r", "Ж", [0xF6]),
      ("KOI8-U", "ї", [0xA7]), ("ISO-8859-2", "ř", [0xF8]), ("iso-8859-5", "Ж", [0xB6]),
      ("iso-8859-1", "ß", [0xDF]), ("Shift_JIS", "表", [0x95, 0x5C]), ("EUC-JP", "表", [0xC9, 0xBD]),
      ("gbk", "表", [0xB1, 0xED]), ("gb18030", "表", [0xB1, 0xED]), ("big5", "表", [0xAA, 0xED]),
      ("euc-kr", "한", [0xC7, 0xD1]),
    ]
    for (encoding, letter, bytes) in encodings {
      let document = text("%", encoding: encoding).utf8.flatMap { $0 == UInt8(ascii: "%") ? bytes : [$0] }

      #expect(SVGRenderer.isDocument(document), "\(encoding)")
      let image = try Drawing.image(document)
      #expect(try image == utf8(letter), "\(encoding)")
      #expect(image.pixel(x: 4, y: 4)?.alpha == 255, "\(encoding)")
    }
  }

  @Test("A UTF-16 SVG draws with and without a byte order mark", arguments: [nil, "UTF-16"])
  func utf16(encoding: String?) throws {
    let units = Array(text("表😀", encoding: encoding).utf16)
    let big = units.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)] }
    let small = units.flatMap { unit -> [UInt8] in [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }

    for document in [big, small, [0xFE, 0xFF] + big, [0xFF, 0xFE] + small] {
      #expect(SVGRenderer.isDocument(document))
      #expect(try Drawing.image(document) == utf8("表😀"))
    }
  }

  @Test("Forbidden content is refused in an SVG of another encoding")
  func refused() {
    let document = Drawing.document("<image href='data:,'/>")
    let wide = Array(document.utf16).flatMap { unit -> [UInt8] in
      [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
    }
    let declared = Array((#"<?xml version="1.0" encoding="gbk"?>"# + document).utf8)
    for bytes in [wide, declared] {
      #expect(throws: ImageCodecError.unsupportedFeature("data: in an SVG")) { try Drawing.image(bytes) }
    }
    // Wider characters, and a zero among the others.
    let quadruple = [0xFF, 0xFE, 0, 0] + document.utf8.flatMap { byte -> [UInt8] in [byte, 0, 0, 0] }
    #expect(throws: ImageCodecError.self) { try Drawing.image(quadruple) }
  }

  @Test("An SVG in an encoding that only the library would detect is refused")
  func undeclared() throws {
    let document = Drawing.document("<image href='data:,'/>")
    // The bytes of EBCDIC for the characters of a document, as far as the library looks at the first four.
    let opening: [UInt8] = [0x4C, 0x6F, 0xA7, 0x94, 0x93]
    // A declaration that ends behind what is looked at.
    let spaces = String(repeating: " ", count: 5_000)
    let padded = Array((#"<?xml version="1.0"\#(spaces) encoding="utf-7"?>"# + document).utf8)
    for bytes in [
      opening + Array(document.utf8), padded, [0xEF, 0xBB, 0xBF] + padded,
      [0x2B, 0x2F] + Array(document.utf8),
    ] {
      let refusal = ImageCodecError.unsupportedFeature("an SVG in an encoding that it does not declare")
      #expect(throws: refusal) { try Drawing.image(bytes) }
    }
  }

  @Test("An SVG with bytes invalid in its declared encoding is corrupt")
  func wrong() {
    for (encoding, byte) in [("euc-kr", 0xFF), ("windows-1255", 0xFF), ("shift_jis", 0x81)]
      as [(String, UInt8)]
    {
      let document = text("%", encoding: encoding).utf8.map { $0 == UInt8(ascii: "%") ? byte : $0 }
      let error = #expect(throws: ImageCodecError.self) { try Drawing.image(document) }
      #expect(error?.kind == "corrupt", "\(encoding)")
    }
  }
}
