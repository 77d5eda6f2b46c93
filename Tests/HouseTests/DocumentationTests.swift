import Testing

/// A reader of lines, not of Swift: it finds declarations that begin with `public`, and what stands above them.
@Suite("Documentation comments")
struct DocumentationTests {
  @Test(
    "Each public declaration has a documentation comment",
    arguments: [
      "Streams", "StreamsExtras", "StreamsFoundation", "StreamsFoundationExtras", "StreamsTesting",
      "StreamsInspector", "Interleavings", "InterleavingsStreams", "ImageCodecs",
      "StreamImages", "StreamImagesTesting",
    ])
  func documented(module: String) throws {
    let files = Repository.sources.filter { $0.path.isIn("Sources/\(module)") }

    let silent = try files.flatMap(undocumented)

    #expect(!files.isEmpty)
    #expect(silent == [])
  }

  @Test("Each public declaration of the integrations has a documentation comment")
  func integrations() throws {
    let files = Repository.swift.filter { $0.path.isIn("Integrations/Sources") }

    // What SwiftNIO calls is documented there.
    let places: [String] = try files.flatMap(undocumented)
    let silent = places.filter { !$0.contains("(context: ChannelHandlerContext") }

    #expect(files.count > 20)
    #expect(silent == [])
  }

  /// `Scripts/docs` makes pages of the guides, and checks the links to them.
  @Test("Documentation comments link to the guides instead of naming their files")
  func guides() {
    let dead = Repository.sources.flatMap { file in
      file.places { $0.trimmed.hasPrefix("///") && $0.contains("Docs/") }
    }

    #expect(dead == [])
  }

  private func undocumented(_ file: TextFile) throws -> [String] {
    let declaration = try Regex(
      #"^(@\S+ )*(public|open) ([a-z]+ )*(func|struct|class|enum|protocol|actor|init|subscript|let|var)\b"#)
    return file.lines.indices.filter { index in
      let line = file.lines[index].trimmed
      return (line.contains("public ") || line.contains("open ")) && line.contains(declaration)
        && !isWitness(line) && !isMemberwise(file, at: index)
        && !hasDocumentation(file, at: index)
    }.map(file.place(of:))
  }

  private func hasDocumentation(_ file: TextFile, at index: Int) -> Bool {
    let above = file.lines[..<index].last { line in
      let line = line.trimmed
      return !(line.hasPrefix("@") || line.hasPrefix("#if") || line.hasPrefix("//") && !line.hasPrefix("///"))
    }
    return above?.trimmed.hasPrefix("///") ?? false
  }

  /// Says nothing that the properties do not say: each argument sets the property of its name.
  private func isMemberwise(_ file: TextFile, at index: Int) -> Bool {
    guard file.lines[index].contains("init(") else { return false }
    let rest = file.lines[index...].prefix(12).joined(separator: " ")
    let list = rest[rest.firstIndex(of: "(")!...].dropFirst()
    let labels = list.prefix { $0 != "{" }.matches(of: /([a-zA-Z_]+)( [a-zA-Z]+)?:/).map {
      $0.2.map { String($0.dropFirst()) } ?? String($0.1)
    }
    return labels.allSatisfy { label in
      file.lines.contains { $0.contains("public let \(label):") || $0.contains("public var \(label)") }
    }
  }

  /// What a protocol demands is documented there.
  private func isWitness(_ line: String) -> Bool {
    Self.witnesses.contains { line.contains("func \($0)(") || line.contains("func \($0)<") }
      || Self.properties.contains { line.contains("var \($0):") || line.contains("let \($0):") }
      || Self.initializers.contains(where: line.contains) || line.contains(#/static func [^a-z ]+ /#)
  }

  /// The functions of the protocols of this package, and of those of the standard library.
  private static let witnesses: [String] =
    ["hash", "encode", "distance", "advanced", "makeIterator", "makeAsyncIterator", "next", "negate"]
    + Repository.sources.flatMap { requirements(of: $0, /func ([a-zA-Z]+)/) }

  private static let properties: [String] =
    ["description", "customMirror", "playgroundDescription", "rawValue", "magnitude", "zero"]
    + ["startIndex", "endIndex"] + Repository.sources.flatMap { requirements(of: $0, /var ([a-zA-Z_]+):/) }

  private static let initializers = [
    "init(from decoder", "Literal", "init(rawValue", "(exactly ", "<EnclosingSelf",
  ]

  private static func requirements(of file: TextFile, _ declaration: Regex<(Substring, Substring)>)
    -> [String]
  {
    var isInside = false
    return file.lines.compactMap { line in
      if line.hasPrefix("public protocol") || line.hasPrefix("package protocol") {
        isInside = !line.hasSuffix("{}")
      }
      if line.hasPrefix("}") { isInside = false }
      guard isInside, let name = line.firstMatch(of: declaration) else { return nil }
      return String(name.1)
    }
  }
}
