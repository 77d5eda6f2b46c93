import Foundation
import Testing

@Suite("Beyond Combine: documentation table")
struct BeyondTests {
  private struct Row {
    let name: String
    let cells: [String]
  }

  @Test("Each row of `Docs/beyond.md` has a purpose, origins, a priority and a test")
  func cells() throws {
    let rows = try rows()
    let wrong = rows.filter { row in
      row.cells.count != 5 || row.cells.contains("") || !["must", "should"].contains(row.cells[3])
    }

    #expect(!rows.isEmpty)
    #expect(Set(rows.map(\.name)).count == rows.count)
    #expect(wrong.map(\.name) == [])
  }

  @Test("Each row of `Docs/beyond.md` links to an existing test")
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
