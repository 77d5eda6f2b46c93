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

  /// What becomes of a head of these lines.
  private func parsed(_ lines: String..., limits: LoadLimits = LoadLimits()) throws -> HeadParser {
    var parser = HeadParser(limits)
    for line in lines { try parser.takeText(line + "\r\n") }
    return parser
  }

  @Test(
    "A status line has a version and a status of three digits from 100 to 599",
    arguments: [
      ("HTTP/1.1 200 OK", 200, "1.1"), ("HTTP/2 100", 100, "2"), ("HTTP/1.0 599 x y", 599, "1.0"),
      ("HTTP/  3  204  ", 204, "3"), ("HTTP/1.1 099 x", nil, ""), ("HTTP/1.1 600", nil, ""),
      ("HTTP/1.1 0200 OK", nil, ""), ("HTTP/1.1 20 OK", nil, ""), ("HTTP/1.1", nil, ""),
      ("HTTP/1.1 2x0", nil, ""), ("HTTP/1.1 -20", nil, ""),
    ] as [(String, Int?, String)])
  func statusLine(_ row: (line: String, status: Int?, version: String)) {
    guard let status = row.status else {
      #expect(throws: DataLoadingError.protocolViolation("invalid status line")) { try parsed(row.line) }
      return
    }
    let parser = try? parsed(row.line)
    #expect(parser?.status == status && parser?.version == row.version)
  }

  @Test("After its end, a head does not change, and a field that begins like a status line is a field")
  func ended() throws {
    let parser = try parsed("HTTP/1.1 200 OK", "Hello: 1", "HTTQ: 2", "", "HTTP/1.1 404 x", "B: 3", "")

    #expect(parser.status == 200 && parser.isComplete)
    #expect(parser.fields.map(\.name) == ["Hello", "HTTQ"])
  }

  @Test("A head is refused above its limits of bytes and of fields, trailers included, and not at them")
  func limits() throws {
    func takes(_ byteCount: Int, _ fieldCount: Int) -> Bool {
      var limits = LoadLimits()
      (limits.maximumHeadByteCount, limits.maximumHeadFieldCount) = (byteCount, fieldCount)
      do {
        // 14, 6, 2 and 6 bytes.
        _ = try parsed("HTTP/1.1 200", "A: 1", "", "B: 2", limits: limits)
        return true
      } catch {
        #expect(error as? DataLoadingError == .headTooLarge)
        return false
      }
    }

    #expect(takes(28, 2))
    #expect(!takes(27, 2))
    #expect(!takes(28, 1))
  }

  @Test("Bytes that hide a name or end a line are not part of names and values")
  func hidden() throws {
    let parser = try parsed(
      "HTTP/1.1 200", "\u{1}\u{2}A\u{1}\u{2} \t: \u{1} b\u{1}c\u{2}\u{2}d \u{3} ", "E: one \t ",
      " \u{1}two\u{1}x ", "F:g")

    #expect(parser.fields.map(\.name) == ["A", "E", "F"])
    #expect(parser.fields.map(\.value) == ["b c  d", "one two x", "g"])
  }

  @Test("A folded value is joined with a space, unless there is nothing to separate")
  func folded() throws {
    for (lines, value) in [
      (["Location: /a", " b"], "/a b"), (["Location:", " /a"], "/a"), (["Location: ", "\t/a"], "/a"),
      (["Location: /a", " "], "/a"), (["Location:", " ", " /a"], "/a"),
      (["Location: /a", "  b  ", " c"], "/a b c"),
    ] {
      var parser = HeadParser()
      for line in ["HTTP/1.1 302"] + lines { try parser.takeText(line + "\r\n") }
      #expect(parser.fields["Location"] == value)
    }
  }

  @Test("A head that begins with a folded value, and a field without a colon, are violations of the protocol")
  func violations() {
    #expect(throws: DataLoadingError.protocolViolation("the head begins with white space")) {
      try parsed("HTTP/1.1 200", " a")
    }
    #expect(throws: DataLoadingError.protocolViolation("a header without a colon")) {
      try parsed("HTTP/1.1 200", "a")
    }
  }

  @Test("A byte of Latin-1 beyond ASCII is itself, from the first on")
  func firstBeyondASCII() throws {
    var parser = HeadParser()
    try parser.takeText("HTTP/1.1 200\r\n")
    try (Array("A: ".utf8) + [0x80, 0xFF, 13, 10]).withUnsafeBytes { try parser.take($0) }
    try (Array("B: ".utf8) + [0x80, 13, 10]).withUnsafeBytes { try parser.take($0) }

    #expect(parser.fields.map(\.value) == ["\u{80}\u{FF}", "\u{80}"])
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
  mutating func takeText(_ text: String) throws {
    try Array(text.utf8).withUnsafeBytes { try take($0) }
  }
}
