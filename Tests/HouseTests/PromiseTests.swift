import Testing

/// Tests name the rows of the tables of promises that they check.
@Suite("Cache and loader promises")
struct PromiseTests {
  private static let guides = ["Docs/internal/promises.md"]

  @Test("Each promise of caches and loaders has a test, and each named promise exists")
  func named() throws {
    let rows = Self.guides.flatMap { guide in
      Repository.texts.filter { $0.path == guide }.flatMap(\.lines).compactMap(Row.init)
    }
    let tests = Repository.swift.filter { $0.path.isIn("Tests/StreamImagesTests") }
    let named = Set(tests.flatMap { $0.lines.flatMap(Self.rowsNamed) })

    let promised = rows.filter { !$0.isLeftOut }
    let missing = promised.filter { !named.contains($0.name) }.map(\.name)

    print(
      "promises of caching and loading: \(promised.count - missing.count) of \(promised.count) have a test,"
        + " \(rows.count - promised.count) are left out with a reason")
    #expect(promised.count >= 60)
    #expect(missing == [])
    #expect(Set(rows.map(\.name)).count == rows.count)
    let families = named.filter { ["A3.", "A4.", "A5."].contains(String($0.prefix(3))) }
    #expect(families.subtracting(rows.map(\.name)).sorted() == [])
  }

  private struct Row {
    let name: String
    let isLeftOut: Bool

    /// `| A3.1 | limits … |`
    init?(_ line: String) {
      let cells = line.split(separator: "|").map { String($0).trimmed }
      guard cells.count == 2, cells[0].contains(#/^[A-G][0-9.\-]+[a-z]?$/#) else { return nil }
      name = cells[0]
      isLeftOut = cells[1].hasPrefix("left out")
    }
  }

  /// Of `@Test("A3.1, G4: …`, A3.1 and G4.
  private static func rowsNamed(_ line: String) -> [String] {
    guard let start = line.firstRange(of: "\""), let end = line[start.upperBound...].firstIndex(of: ":")
    else {
      return []
    }
    let names = line[start.upperBound..<end].split(separator: ",").map { String($0).trimmed }
    return names.allSatisfy { $0.contains(#/^[A-G][0-9][0-9.\-]*[a-z]?$/#) } ? names : []
  }
}
