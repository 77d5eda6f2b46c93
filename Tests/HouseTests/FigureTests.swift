import Foundation
import Testing

/// `Benchmarks/figures.tsv` has each figure that a page quotes: the page, the words around it, and its source. A source that is a
/// row of a generated page is compared with it. Others say what recorded the figure.
@Suite("Figures")
struct FigureTests {
  private struct Figure {
    let page: String
    let phrase: String
    let source: String
  }

  private struct Number {
    let text: Substring
    var value: Double { Double(text.replacing(",", with: "")) ?? .nan }
    var decimals: Int {
      text.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count ?? 0
    }
  }

  @Test(
    "Each figure in README's comparison and in the page on speed is in the table of figures",
    arguments: ["README.md", "Docs/contributing/speed.md"])
  func complete(path: String) throws {
    let text = try text(of: path)
    let covered = try figures().filter { $0.page == path }.flatMap { text.ranges(of: $0.phrase) }

    let unknown = numbers(in: text).filter { number in
      !covered.contains { $0.lowerBound <= number.text.startIndex && number.text.endIndex <= $0.upperBound }
    }

    #expect(!covered.isEmpty)
    #expect(unknown.map { around($0.text, in: text) } == [])
  }

  @Test("Each entry of the table of figures is on its page")
  func used() throws {
    let missing = try figures().filter { try !text(of: $0.page).contains($0.phrase) }

    #expect(missing.map { "\($0.page): \($0.phrase)" } == [])
  }

  @Test("Each figure with a generated source equals it, and each other one has a commit or a version")
  func equal() throws {
    let sources = try GeneratedFigures()

    let wrong = try figures().filter { figure in
      let terms = figure.source.split(separator: " ").map(String.init)
      guard let values = try sources.values(terms) else {
        return figure.source.firstMatch(of: /\b(?:[0-9a-f]{7,9}|\d+\.\d+(?:\.\d+)?|RFC \d+)\b/) == nil
      }
      let numbers = numbers(in: figure.phrase)
      return numbers.count != values.count
        || zip(numbers, values).contains { number, value in
          abs(number.value - value) > 0.5 * pow(10, Double(-number.decimals)) + 1e-9
        }
    }

    #expect(wrong.map { "\($0.page): \($0.phrase): \($0.source)" } == [])
  }

  @Test(
    "Each commit that a page names as measured exists",
    .enabled(if: Repository.exists(".git"), "this is no clone"))
  func commits() throws {
    let pages = Repository.guides + [try #require(TextFile(path: "Benchmarks/figures.tsv"))]
    // A commit with its date ends the rows of results: a word that is no commit in its place is wrong, too.
    let rows = pages.flatMap { page in
      page.lines.flatMap { line in
        line.matches(of: #/\| (\w+), \d+ [A-Z][a-z]+( \d{4})? \|$/#).map { String($0.1) }
          + line.matches(of: #/\b(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,8}\b/#).map { String($0.0) }
      }
    }

    let unknown = try Set(rows).filter { commit in
      try Repository.run("/usr/bin/env", ["git", "cat-file", "-e", "\(commit)^{commit}"]).status != 0
    }

    #expect(rows.count > 30)
    #expect(unknown == [])
  }

  private func figures() throws -> [Figure] {
    try #require(TextFile(path: "Benchmarks/figures.tsv")).lines
      .filter { !$0.hasPrefix("#") && !$0.isEmpty }
      .map { line in
        let cells = line.components(separatedBy: "\t")
        return try #require(
          cells.count == 3 ? Figure(page: cells[0], phrase: cells[1], source: cells[2]) : nil)
      }
  }

  /// A page as one line, without blocks of code, the targets of links, and the numbers of lists.
  private func text(of path: String) throws -> String {
    var lines = try #require(TextFile(path: path)).lines
    if path == "README.md" {
      lines = Array(
        lines.drop { $0 != "## Compared with other libraries" }.prefix { $0 != "## Platforms and versions" })
    }
    var isFenced = false
    let shown = lines.compactMap { line -> String? in
      if line.hasPrefix("```") { isFenced.toggle() }
      return isFenced || line.hasPrefix("```") ? nil : line.trimmed.replacing(#/^\d+\. /#, with: "")
    }
    return shown.filter { !$0.isEmpty }.joined(separator: " ").replacing(#/\]\([^)]*\)/#, with: "]")
  }

  /// Numbers outside of code that are not parts of names or versions with three parts.
  private func numbers(in text: String) -> [Number] {
    var numbers: [Number] = []
    var isCode = false
    var index = text.startIndex
    while index < text.endIndex {
      guard text[index].isNumber, !isCode else {
        if text[index] == "`" { isCode.toggle() }
        index = text.index(after: index)
        continue
      }
      let end = text[index...].firstIndex { !$0.isNumber && $0 != "," && $0 != "." } ?? text.endIndex
      var token = text[index..<end]
      while let last = token.last, !last.isNumber { token.removeLast() }
      let isName = text[..<index].last.map { $0.isLetter || $0 == "-" } ?? false
      let isVersion = token.count { $0 == "." } > 1
      if !isName && !isVersion { numbers.append(Number(text: token)) }
      index = end
    }
    return numbers
  }

  private func around(_ place: Substring, in text: String) -> String {
    let start = text.index(place.startIndex, offsetBy: -30, limitedBy: text.startIndex) ?? text.startIndex
    let end = text.index(place.endIndex, offsetBy: 30, limitedBy: text.endIndex) ?? text.endIndex
    return String(text[start..<end])
  }
}
