import Foundation
import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// `Docs/moving/outcomes.tsv` records what a row of a migration guide does in the other library, from its sources.
@Suite("Outcomes of migration guides")
struct OutcomeTests {
  struct Outcome: Sendable, CustomTestStringConvertible {
    let guide, expression, input, there, here, source: String
    var testDescription: String { "\(guide): \(expression)" }
  }

  static let docs = (1...4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    .appending(path: "Docs/moving")

  static let outcomes: [Outcome] = {
    let text = (try? String(contentsOf: docs.appending(path: "outcomes.tsv"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      let cells = line.components(separatedBy: "\t")
      guard cells.count == 6 else { return nil }
      return Outcome(
        guide: cells[0], expression: cells[1], input: cells[2], there: cells[3],
        here: cells[4] == "=" ? cells[3] : cells[4], source: cells[5])
    }
  }()

  @Test("A replacement does what is recorded for it", arguments: outcomes)
  func same(outcome: Outcome) throws {
    let program = try #require(OutcomePrograms.all[outcome.expression])

    #expect(try program(OutcomeInput(outcome.input)) == outcome.here)
  }

  @Test("A row whose outcome differs explains it beside the code", arguments: outcomes)
  func explained(outcome: Outcome) throws {
    let guide = try String(contentsOf: Self.docs.appending(path: "from-\(outcome.guide).md"), encoding: .utf8)
    let row = try #require(
      guide.split(separator: "\n").first {
        $0.hasPrefix("| ") && $0.hasSuffix(" | `\(outcome.expression)` |")
      })
    let words = row.split(separator: " | ")[0].replacing(/`[^`]*`/, with: "")

    #expect(outcome.there == outcome.here || words.contains(/[a-z]{3}/))
    #expect(outcome.source.contains(#/\d.*\.swift/#))
  }

  @Test("Outcomes of at least 25 rows are recorded")
  func count() {
    #expect(Self.outcomes.count >= 25)
    #expect(Set(OutcomePrograms.all.keys).subtracting(Self.outcomes.map(\.expression)) == [])
  }
}
