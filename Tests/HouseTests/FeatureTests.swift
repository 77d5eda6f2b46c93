import Testing

/// The tables that say what the image pipeline can do.
@Suite("the table of features")
struct FeatureTests {
  private struct Row {
    let number: String
    let test: (name: String, path: String)?
  }

  /// How many rows each chapter has, in the order of the page.
  static let chapters = [
    ("A1.", 13), ("A2.", 11), ("F", 2), ("A6.", 8), ("A8.", 7), ("B0.", 11), ("A9.", 5), ("A10.", 5),
    ("A11.", 12),
    ("R", 23), ("G", 12), ("C", 33), ("E", 23), ("H", 20),
  ]

  @Test("has all rows, each once")
  func complete() throws {
    let rows = try rows()

    for (chapter, count) in Self.chapters {
      #expect(rows.count { $0.number.hasPrefix(chapter) } == count, "\(chapter)")
    }
    #expect(Set(rows.map(\.number)).count == rows.count)
    #expect(rows.count == Self.chapters.reduce(0) { $0 + $1.1 })
  }

  @Test("links each row to a test of that name, and counts right")
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
    #expect(wrong.map(\.number) == [])
    #expect(try page().lines.contains { $0.hasPrefix("\(tested) of \(rows.count) rows have a test.") })
  }

  private func rows() throws -> [Row] {
    try page().lines.compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { String($0).trimmed }
      guard cells.count == 5, cells[1].wholeMatch(of: /[A-Z]\d+(\.\d+)?/) != nil else { return nil }
      let link = cells[3].wholeMatch(of: /\[(.+)\]\(\.\.\/(.+)\)/)
      return Row(number: cells[1], test: link.map { (String($0.1), String($0.2)) })
    }
  }

  private func page() throws -> TextFile { try #require(TextFile(path: "Docs/pipeline.md")) }
}
