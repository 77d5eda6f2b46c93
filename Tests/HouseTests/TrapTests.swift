import Testing

@Suite("Traps")
struct TrapTests {
  /// All of them are here, each with the law that was broken.
  static let home = "Sources/Streams/Contract/Violations.swift"

  @Test("Only `Violations.swift` contains traps")
  func home() throws {
    let traps = try Regex(
      #"\b(fatalError|preconditionFailure|precondition|assertionFailure|assert)\(|\b(try|as)!"#)
    let files = Repository.sources.filter { $0.path != Self.home }

    let wrong = files.flatMap { file in file.places { $0.code.contains(traps) } }

    #expect(wrong == [])
  }

  @Test("Each trap has a literal message")
  func words() throws {
    let home = try #require(Repository.sources.first { $0.path == Self.home })

    let text = home.lines.map(\.trimmed).joined(separator: " ")
    let traps = text.matches(of: /fatalError\( ?/).map { text[$0.range.upperBound...].prefix(1) }

    #expect(!traps.isEmpty)
    #expect(traps.allSatisfy { $0 == "\"" })
  }
}
