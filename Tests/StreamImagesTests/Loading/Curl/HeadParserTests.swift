import StreamImages
import Testing

@Suite struct HeadParserTests {
  @Test("Informational heads are skipped, and trailers are not headers")
  func informational() throws {
    var parser = HeadParser()
    let lines = [
      "HTTP/1.1 100 Continue", "A: 1", "", "HTTP/1.1 103 Early Hints", "Link: x", "", "HTTP/2 200 ", "B: 2",
      "",
      "Trailer: 3", "",
    ]

    for line in lines { try parser.takeText(line + "\r\n") }

    #expect(parser.status == 200)
    #expect(parser.fields.map(\.name) == ["B"])
    #expect(parser.isComplete)
  }

  @Test("Parsed header fields equal constructed ones and can be changed like them")
  func fields() throws {
    var parser = HeadParser()
    let lines = [
      "HTTP/1.1 200 OK", "Content-Type:image/png ", "Vary: a", "X-Long: one", "\t two", "vary: b", "Empty:",
      "",
    ]
    for line in lines { try parser.takeText(line + "\r\n") }
    var fields = parser.fields

    let same = HeaderFields(
      [
        ("Content-Type", "image/png"), ("Vary", "a"), ("X-Long", "one two"), ("vary", "b"), ("Empty", ""),
      ].map { HeaderFields.Field(name: $0.0, value: $0.1) })
    #expect(fields == same && fields.hashValue == same.hashValue)
    #expect(Array(fields) == Array(same) && fields.description == same.description)
    #expect(fields["CONTENT-TYPE"] == "image/png" && fields["empty"] == "" && fields["content-typ"] == nil)
    #expect(fields.values(for: "VARY") == ["a", "b"] && fields.combined("vary") == "a, b")
    #expect(fields.combined("none") == nil)

    fields["Vary"] = "c"
    fields.append("X-More", "d")

    #expect(fields.map(\.name) == ["Content-Type", "Vary", "X-Long", "Empty", "X-More"])
    #expect(fields["vary"] == "c" && parser.fields == same)
  }

  @Test("Header bytes that are not UTF-8 are read as Latin-1")
  func latin() throws {
    var parser = HeadParser()
    try parser.takeText("HTTP/1.1 200\r\n")
    try parser.takeText("A: ü\r\n")
    try (Array("B: caf".utf8) + [0xE9, 13, 10]).withUnsafeBytes { try parser.take($0) }

    #expect(parser.fields["a"] == "ü" && parser.fields["b"] == "café")
  }

  @Test("Random header lines never trap")
  func noise() {
    var random = SystemRandomNumberGenerator()
    let pieces: [[UInt8]] = [
      Array("HTTP/1.1 200 OK".utf8), Array("HTTP/".utf8), [58], [32], [9], [13, 10], [0xFF, 0xC0], [],
      Array("Name: v".utf8),
    ]

    var outcomes = Set<Bool>()
    for _ in 0..<5000 {
      var parser = HeadParser()
      let isFine =
        (try? (0..<6).forEach { _ in
          let line = (0..<Int.random(in: 0...3, using: &random)).flatMap { _ in
            pieces.randomElement(using: &random)!
          }
          try (line + [13, 10]).withUnsafeBytes { try parser.take($0) }
        }) != nil
      outcomes.insert(isFine)
    }

    #expect(outcomes == [true, false])
  }
}

extension HeadParser {
  fileprivate mutating func takeText(_ text: String) throws {
    try Array(text.utf8).withUnsafeBytes { try take($0) }
  }
}
