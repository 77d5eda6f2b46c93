import Testing

/// The tables that say what the image pipeline can do.
@Suite("Image pipeline: feature table")
struct FeatureTests {
  private struct Row {
    let number: String
    let test: (name: String, path: String)?
  }

  @Test("Each feature has one row, which links to an existing test")
  func tests() throws {
    let rows = try rows()
    let wrong = rows.filter { row in
      guard let test = row.test else { return false }
      let file = TextFile(path: test.path)
      return file?.lines.contains { $0.contains("\"\(test.name)\"") } != true
    }
    let tested = rows.count { $0.test != nil }

    let faults = rows.filter { "CEH".contains($0.number.prefix(1)) }
    print("\(tested) of \(rows.count) feature rows have a test, \(faults.count) of them are faults")
    #expect(!rows.isEmpty)
    #expect(Set(rows.map(\.number)).count == rows.count)
    #expect(wrong.map(\.number) == [])
  }

  private func rows() throws -> [Row] {
    try page().lines.compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { String($0).trimmed }
      guard cells.count == 5, cells[1].wholeMatch(of: /[A-Z]\d+(\.\d+)?/) != nil else { return nil }
      let link = cells[3].wholeMatch(of: /\[(.+)\]\(\.\.\/\.\.\/(.+)\)/)
      return Row(number: cells[1], test: link.map { (String($0.1), String($0.2)) })
    }
  }

  private func page() throws -> TextFile { try #require(TextFile(path: "Docs/internal/pipeline.md")) }
}
