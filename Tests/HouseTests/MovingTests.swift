import Foundation
import Testing

@Suite("Migration guides")
struct MovingTests {
  static let guides = [
    "combine", "rxswift", "reactiveswift", "nuke", "kingfisher-sdwebimage",
  ]

  /// The code that compiles, line by line.
  static let compiled = Repository.swift.filter { $0.path.contains("Tests/Moving/") }
    .flatMap { $0.lines.map(\.trimmed) }

  @Test("Each replacement in a migration guide compiles", arguments: guides)
  func compiles(guide: String) throws {
    let rows = try #require(TextFile(path: "Docs/moving/from-\(guide).md")).lines.filter {
      $0.hasPrefix("| `")
    }

    let wrong = rows.filter { row in
      guard let code = row.wholeMatch(of: /.* \| `(.+)` \|/)?.1 else { return true }
      return !Self.compiled.contains { $0.hasSuffix(code) }
    }

    #expect(rows.count >= 10)
    #expect(wrong == [])
  }
}
