import Testing

@Suite("a trap")
struct TrapTests {
  /// All of them are here, each with the law that was broken.
  static let home = "Sources/Streams/Contract/Violations.swift"

  @Test("is the answer to a broken contract only, and stands with the others")
  func home() throws {
    let traps = try Regex(
      #"\b(fatalError|preconditionFailure|precondition|assertionFailure|assert)\(|\b(try|as)!"#)
    let files = Repository.sources.filter { $0.path != Self.home }

    let wrong = files.flatMap { file in file.places { $0.code.contains(traps) } }

    #expect(wrong == [])
  }

  @Test("names the law that was broken, or says what is the matter")
  func words() throws {
    let home = try #require(Repository.sources.first { $0.path == Self.home })

    let text = home.lines.map(\.trimmed).joined(separator: " ")
    let traps = text.matches(of: /fatalError\( ?/).map { text[$0.range.upperBound...].prefix(1) }

    #expect(!traps.isEmpty)
    #expect(traps.allSatisfy { $0 == "\"" })
  }
}
