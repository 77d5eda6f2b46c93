import Testing

@Suite("Reactive Streams rules")
struct ReactiveStreamsTests {
  /// How many rules each of the four chapters has.
  static let chapters = [11, 13, 17, 2]

  private struct Row {
    let rule: String
    let laws: [String]
  }

  @Test("The table of Reactive Streams has all 43 rules in order")
  func complete() throws {
    let expected = Self.chapters.enumerated().flatMap { chapter, count in
      (1...count).map { "\(chapter + 1).\($0)" }
    }

    #expect(try rows().map(\.rule) == expected)
    #expect(expected.count == 43)
  }

  @Test("Each Reactive Streams rule cites at least one existing law")
  func laws() throws {
    let known = try Set(
      page("Docs/contract.md").lines.compactMap {
        $0.firstMatch(of: /^- \*\*([A-Z]\d+)\*\*/).map { String($0.1) }
      })

    let wrong = try rows().filter { $0.laws.isEmpty || !known.isSuperset(of: $0.laws) }

    #expect(wrong.map(\.rule) == [])
  }

  private func rows() throws -> [Row] {
    try page("Docs/contributing/reactive-streams.md").lines.compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { String($0).trimmed }
      guard cells.count == 6, cells[1].wholeMatch(of: /\d\.\d+/) != nil else { return nil }
      return Row(rule: cells[1], laws: cells[3].split(separator: ",").map { String($0).trimmed })
    }
  }

  private func page(_ path: String) throws -> TextFile { try #require(TextFile(path: path)) }
}
