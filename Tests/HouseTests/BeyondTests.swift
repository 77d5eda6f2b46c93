import Foundation
import Testing

@Suite("Beyond Combine: documentation table")
struct BeyondTests {
  private struct Row {
    let name: String
    let cells: [String]
  }

  /// The abbreviations of the page, and origins that it names in full.
  private static let origins: Set = [
    "CE", "CS", "Rx", "RS", "SAA", "RJ", "RC", "CX", "AsyncExtensions", "MightyCombine", "many", "recipes",
    "–",
  ]

  @Test("Each row of `Docs/beyond.md` has a purpose and known origins")
  func cells() throws {
    let rows = try rows()
    let wrong = rows.filter { row in
      row.cells.count != 3 || row.cells.contains("")
        || !Self.origins.isSuperset(of: row.cells[2].split(separator: " ").map(String.init))
    }

    #expect(rows.count > 60)
    #expect(Set(rows.map(\.name)).count == rows.count)
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
