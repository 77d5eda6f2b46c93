import Foundation
import Mutations
import Testing

/// Whether they are found is for `Scripts/explore --mutants`, which takes longer.
@Suite("Explorer mutants")
struct MutantTests {
  static let files = Repository.texts.filter { file in
    (file.path.hasSuffix(".swift") || file.path.hasSuffix(".c")) && file.path.isIn("Sources")
  }
  static let mutants = bugs("Tests/Exploring/Mutants.txt")
  /// Bugs of the explorer itself.
  static let engines = bugs("Tests/Interleavings/BrokenEngine.txt")

  private static func bugs(_ path: String) -> [DeliberateBug] {
    let file = TextFile(path: path)
    return file.flatMap { try? DeliberateBug.list($0.lines.joined(separator: "\n")) } ?? []
  }

  @Test("Each explorer mutant has its own name and names the scenario that finds it")
  func scenarios() {
    #expect(Self.mutants.count >= 47)
    #expect(Self.engines.count >= 27)
    #expect(Set(Self.mutants.map(\.name)).count == Self.mutants.count)
    #expect(Set(Self.engines.map(\.name)).count == Self.engines.count)
    #expect(Self.mutants.filter { $0.scenario == nil }.map(\.name) == [])
  }

  @Test("Each explorer mutant fits the current sources", arguments: mutants + engines)
  func fits(bug: DeliberateBug) throws {
    let changed = try bug.files(among: Self.files.map(\.path)) { path in
      Self.files.first { $0.path == path }?.lines.joined(separator: "\n")
    }

    #expect(!changed.isEmpty)
  }

  @Test("Each explorer mutant is listed in the reliability guide")
  func listed() throws {
    let guide = try #require(TextFile(path: "Docs/contributing/reliability.md"))

    let unlisted = Self.mutants.map(\.name).filter { name in
      !guide.lines.contains { $0.contains("(`\(name)`)") }
    }

    #expect(unlisted == [])
  }
}

@Suite("Deliberate bugs")
struct DeliberateBugTests {
  private static let text = """
    struct A {
      func f() {
        g(1,
          2)  // why
        h()
      }
      var isOpen: Bool { h() }
    }

    """

  /// What a bug makes of a file, or why it does not fit.
  private func changed(_ edit: String, _ files: [String: String] = ["Sources/X/A.swift": text]) throws
    -> String?
  {
    let bug = try DeliberateBug.list("Bug: b\nAbout it.\n\(edit)\n")[0]
    do {
      return try bug.files(among: Array(files.keys)) { files[$0] }.values.first
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "A deliberate bug replaces its statements, however they are broken into lines, and indents what replaces them"
  )
  func replaced() throws {
    let result = try changed("In: A.swift, func f\n- g(1, 2)\n+ if true {\n+   g(3)\n+ }\n  h()")

    #expect(
      result
        == Self.text.replacing(
          "    g(1,\n      2)  // why\n", with: "    if true {\n      g(3)\n    }\n"))
  }

  @Test("A deliberate bug without replacement removes the lines of its statements")
  func removed() throws {
    #expect(try changed("In: A.swift, func f\n- h()") == Self.text.replacing("    h()\n", with: ""))
  }

  @Test("A deliberate bug changes part of a line")
  func part() throws {
    #expect(
      try changed("In: A.swift, var isOpen\n- h()\n+ !h()") == Self.text.replacing("{ h()", with: "{ !h()"))
  }

  @Test("A deliberate bug may have several changes in one file")
  func several() throws {
    let result = try changed("In: A.swift, func f\n- h()\n+ i()\n\nIn: A.swift, var isOpen\n- h()\n+ i()")

    #expect(result == Self.text.replacing("h()", with: "i()"))
  }

  @Test("A deliberate bug that does not fit is reported with its name, its file and its statements")
  func misfits() throws {
    let prefix = "b does not fit the sources: "

    #expect(try changed("In: B.swift, func f\n- h()") == prefix + "0 files are named B.swift")
    #expect(
      try changed("In: A.swift, func f\n- h()", ["A/A.swift": "", "B/A.swift": ""]) == prefix
        + "2 files are named A.swift")
    #expect(try changed("In: A.swift, func e\n- h()") == prefix + "A.swift has no `func e`")
    #expect(
      try changed("In: A.swift, func f\n- i()") == prefix
        + "`func f` in A.swift must have this once, and has it 0 times:\ni()")
    #expect(
      try changed("In: A.swift, func f\n- h()", ["A/A.swift": "func f() { h(); h() }"]) == prefix
        + "`func f` in A.swift must have this once, and has it 2 times:\nh()")
  }

  @Test(
    "A list of deliberate bugs with an incomplete entry is refused with the number of its line",
    arguments: [
      ("About it.", 1), ("Bug: a\nIn: A.swift, func f\n- h()", 3), ("Bug: a\nAbout it.\n\nBug: b", 3),
      ("Bug: a\nAbout it.\nIn: A.swift, func f\n  h()", 4), ("Bug: a\nAbout it.\nIn: A.swift\n- h()", 3),
      ("Bug: a\nAbout it.\nIn: A.swift, func f\n- h()\nh()", 5),
    ])
  func malformed(text: String, line: Int) {
    let error = #expect(throws: DeliberateBug.Malformed.self) { try DeliberateBug.list(text) }

    #expect(error?.line == line)
  }
}

/// Whether the others are found is for `Scripts/explore --mutants orderings`.
@Suite("Weakened memory orders")
struct SettledOrderTests {
  private struct Settled {
    let path: String
    let line: String
    let order: Substring
    let reason: String

    init?(_ text: String) {
      let fields = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 4, let order = fields[2].split(separator: " ").first else { return nil }
      (path, line, reason, self.order) = (fields[0], fields[1], fields[3], order)
    }

    var isInSources: Bool {
      guard line.contains(": .\(order)"), let file = TextFile(path: path) else { return false }
      return file.lines.contains { $0.trimmingCharacters(in: .whitespaces) == line }
    }
  }

  @Test("Each accepted weaker memory order exists in the sources and has a reason")
  func listed() throws {
    let list = try #require(TextFile(path: "Tests/Exploring/Orders.tsv"))
    let lines = list.lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    #expect(!lines.isEmpty)

    for line in lines {
      let settled = try #require(Settled(String(line)), "Fields are missing: \(line)")
      #expect(settled.isInSources, "\(line)")
      #expect(settled.reason.count > 20)
    }
  }
}
