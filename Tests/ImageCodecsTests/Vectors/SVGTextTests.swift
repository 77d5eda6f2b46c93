import ImageCodecs
import Testing

@Suite("Text of SVG documents", .enabled(if: Drawing.isPossible, "librsvg is not there"))
struct SVGTextTests {
  /// Why a document is refused before a library parses it; `nil` if it is not.
  private func refusal(_ content: String, _ change: (inout SVGRenderer) -> Void = { _ in }) throws
    -> ImageCodecError?
  {
    let bytes = Array(Drawing.document(content).utf8)
    var renderer = try SVGRenderer()
    renderer.isolation = .none
    change(&renderer)
    do {
      _ = try bytes.withUnsafeBytes { try renderer.byteCost(of: $0) }
      return nil
    } catch {
      let error = error as? ImageCodecError
      return error?.kind == "corrupt" ? nil : error
    }
  }

  @Test("A forbidden word is refused in capital letters, between breaks, and at any place")
  func words() throws {
    for (word, meaning) in [
      ("<!ENTITY", "entities in an SVG"), ("feMorphology", "feMorphology in an SVG"),
      ("feConvolveMatrix", "feConvolveMatrix in an SVG"),
      ("feTurbulence", "feTurbulence in an SVG"), ("data:", "data: in an SVG"),
    ] {
      for text in [
        word, word.uppercased(), word.lowercased(), " \(word) ", "\n\(word)", word.map { "\($0)\n" }.joined(),
        word.map { "\($0)\t\r" }.joined(),
      ] {
        #expect(try refusal("<desc>\(text)</desc>") == .unsupportedFeature(meaning), "\(text)")
      }
      for text in [
        String(word.dropFirst()), String(word.dropLast()), word.map { "\($0) " }.joined(),
        word.map { "\($0)\u{B}" }.joined(),
      ] {
        #expect(try refusal("<desc>\(text)</desc>") == nil, "\(text)")
      }
    }
  }

  @Test("A letter or a digit before `data:` makes it another word")
  func schemes() throws {
    for (before, isRefused) in [
      ("a", false), ("z", false), ("A", false), ("Z", false), ("0", false), ("9", false), ("/", true),
      (":", true), ("@", true), ("[", true), ("`", true),
      ("{", true), ("-", true), (".", true), ("é", true), ("a ", true), ("a\n", false),
    ] {
      #expect(try (refusal("<desc>\(before)data:</desc>") != nil) == isRefused, "\(before)")
    }
  }

  @Test("A numeric reference to a character of ASCII is resolved, and others are not")
  func references() throws {
    for (reference, isResolved) in [
      ("&#100;", true), ("&#68;", true), ("&#0100;", true), ("&#x64;", true), ("&#x044;", true),
      ("&#x000000000000064;", true), ("&#228;", false),
      ("&#128;", false), ("&#x80;", false), ("&#1100;", false), ("&#x164;", false), ("&#6A;", false),
      ("&#x6g;", false), ("&100;", false), ("&#;", false),
      ("&x64;", false), ("&#X64;", false), ("&#100", false), ("&#x64 ;", false), ("&amp;", false),
      ("&#18446744073709551716;", false),
    ] {
      #expect(try (refusal("<desc>\(reference)ata:</desc>") != nil) == isResolved, "\(reference)")
    }
    for digits in [
      "d&#x61;t&#97;:", "data&#58;", "data&#x3A;", "data&#x3a;", "&#x64;&#x61;&#x74;&#x61;&#x3a;",
      "d&#10;ata:", "d&#9;ata:", "d&#xD;ata:",
    ] {
      #expect(try refusal("<desc>\(digits)</desc>") != nil, "\(digits)")
    }
    #expect(try refusal("<desc>&#109;data:</desc>") == nil && refusal("<desc>&#32;data:</desc>") != nil)
  }

  @Test("An escape of a style sheet has up to six digits, and one blank behind them belongs to it")
  func escapes() throws {
    for (escape, isResolved) in [
      (#"\64 ata:"#, true), (#"\44 ata:"#, true), (#"\000064ata:"#, true), (#"\000064 ata:"#, true),
      (#"\0000064ata:"#, false), (#"\64  ata:"#, false),
      ("\\64\tata:", true), ("\\64\nata:", true), (#"\65 ata:"#, false), (#"\d ata:"#, false),
      (#"d\61ta:"#, true), (#"d\61 ta:"#, true), (#"d\61 t\61 :"#, true),
      (#"\data:"#, true), (#"data\3A "#, true), (#"data\3a"#, true), (#"data\"#, false), (#"dat\g:"#, false),
      (#"\e4 data:"#, true), (#"\6ddata:"#, false),
      (#"\ data:"#, true), (#"d\ata:"#, false), (#"da\ta:"#, true), (#"\FEmorphology"#, true),
      (#"fe\4d orphology"#, true),
    ] {
      #expect(try (refusal("<style>\(escape)</style>") != nil) == isResolved, "\(escape)")
    }
  }

  @Test("Elements are counted by their first letters, and bytes by all")
  func limits() throws {
    for (content, count) in [
      ("", 1), ("<a/>", 2), ("<a></a>", 2), ("<Z/><_/><é/>", 4), ("<!-- <b/> -->", 2), ("<a/><a/>", 3),
      ("<?x?>", 1), ("a b", 1),
    ] {
      for (limit, isRefused) in [(count - 1, true), (count, false)] {
        let expected: ImageCodecError? = isRefused ? .limitExceeded(.elements(limit)) : nil
        #expect(try refusal(content) { $0.maximumElements = limit } == expected, "\(content)")
      }
    }
    let size = Drawing.document("").utf8.count
    #expect(try refusal("") { $0.maximumBytes = size } == nil)
    #expect(try refusal("") { $0.maximumBytes = size - 1 } == .limitExceeded(.encodedBytes(size - 1)))
    // Ten by ten pixels for each of two elements.
    #expect(try refusal("<a/>") { $0.maximumPaintedPixels = 200 } == nil)
    #expect(try refusal("<a/>") { $0.maximumPaintedPixels = 199 } == .limitExceeded(.elements(1)))
  }

  @Test("A document is one whose first element is SVG, behind any prolog within 4,096 bytes")
  func documents() {
    for (text, isDocument) in [
      ("<svg", true), ("<svg/", true), ("<svg\n", true), ("<a:svg>", true), ("<:svg>", true),
      ("<svg:a>", false), ("<SVG>", false), ("<svgx>", false),
      (" \t\r\n<svg>", true), ("\u{1}<svg>", true), ("!<svg>", false), ("<?a?><svg>", true),
      ("<?a><svg>", false), ("<?a ?", false), ("<!--a--><svg>", true),
      ("<!--a-><svg>", false), ("<!---->\n<svg>", true), ("<!DOCTYPE svg><svg>", true),
      ("<!DOCTYPE svg [ <!a> ]><svg>", true),
      ("<!DOCTYPE svg [ <!a> ] ><svg>", false), ("<!DOCTYPE svg", false),
      ("<!a><!b><?c?><!--d--><svg>", true), ("<a><svg>", false), ("<", false),
      ("\u{FEFF}<svg>", true), ("\u{FEFF}\u{FEFF}<svg>", false),
    ] {
      #expect(SVGRenderer.isDocument(Array(text.utf8)) == isDocument, "\(text)")
      // With two bytes a character, which the first one shows.
      for isBig in [false, true] where text.utf8.first == UInt8(ascii: "<") {
        let wide = text.utf16.flatMap { unit -> [UInt8] in
          isBig ? [UInt8(unit >> 8), UInt8(unit & 255)] : [UInt8(unit & 255), UInt8(unit >> 8)]
        }
        #expect(SVGRenderer.isDocument(wide) == isDocument, "\(text)")
      }
    }
    for (count, isDocument) in [(4_092, true), (4_093, false)] {
      #expect(
        SVGRenderer.isDocument(Array((String(repeating: " ", count: count) + "<svg>").utf8)) == isDocument)
    }
  }
}
