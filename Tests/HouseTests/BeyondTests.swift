import Foundation
import Testing

@Suite("the table of what goes beyond Combine")
struct BeyondTests {
  private struct Row {
    let name: String
    let cells: [String]
  }

  @Test("says of each what it does, who has it, how much it is wanted, and which test holds it")
  func cells() throws {
    let rows = try rows()
    let wrong = rows.filter { row in
      row.cells.count != 5 || row.cells.contains("") || !["must", "should"].contains(row.cells[3])
    }

    #expect(!rows.isEmpty)
    #expect(Set(rows.map(\.name)).count == rows.count)
    #expect(wrong.map(\.name) == [])
  }

  @Test("names tests that there are")
  func tests() throws {
    let link = /\[(\w+)\]\(\.\.\/([^)]+)\): \*(.+)\*/

    let wrong = try rows().filter { row in
      guard let match = row.cells[4].wholeMatch(of: link), let file = TextFile(path: String(match.2)) else {
        return true
      }
      return !file.lines.contains { $0.contains("\"\(match.3)\"") }
    }

    #expect(wrong.map(\.name) == [])
  }

  private func rows() throws -> [Row] {
    try #require(TextFile(path: "Docs/beyond.md")).lines.compactMap { line in
      guard line.hasPrefix("| "), !line.hasPrefix("| Name ") else { return nil }
      let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
      return Row(name: cells[0], cells: cells)
    }
  }
}
