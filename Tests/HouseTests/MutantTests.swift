import Foundation
import Testing

/// Whether they are found is for `Scripts/explore --mutants`, which takes longer.
@Suite("Explorer mutants")
struct MutantTests {
  static let patches = Repository.texts.map(\.path).filter { $0.isIn("Tests/Exploring/Mutants") }
  /// Bugs of the explorer itself.
  static let models = Repository.texts.map(\.path).filter { $0.isIn("Tests/Exploring/BrokenModels") }

  @Test("Each explorer mutant names the scenario that finds it", arguments: patches)
  func places(path: String) throws {
    let patch = try #require(TextFile(path: path))

    #expect(patch.lines.contains { $0.hasPrefix("Scenario: ") })
  }

  @Test("Each explorer mutant applies to the current sources", arguments: patches + models)
  func fits(path: String) throws {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git", "apply", "--check", path]
    process.currentDirectoryURL = Repository.root
    process.standardInput = FileHandle.nullDevice
    process.standardError = pipe
    try process.run()
    let complaint = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()

    #expect(complaint == "")
    #expect(process.terminationStatus == 0)
  }

  @Test("Each explorer mutant is listed in the reliability guide")
  func listed() throws {
    let guide = try #require(TextFile(path: "Docs/reliability.md"))

    let unlisted = Self.patches.filter { path in
      let name = (path as NSString).lastPathComponent.replacing(".patch", with: "")
      return !guide.lines.contains { $0.contains("(`\(name)`)") }
    }

    #expect(Self.patches.count >= 13)
    #expect(unlisted == [])
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
