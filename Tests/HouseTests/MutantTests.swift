import Foundation
import Testing

/// Whether they are found is for `Scripts/explore --mutants`, which takes longer.
@Suite("the bugs put in on purpose")
struct MutantTests {
  static let patches = Repository.texts.map(\.path).filter { $0.isIn("Tests/Exploring/Mutants") }
  /// Bugs of the explorer itself.
  static let models = Repository.texts.map(\.path).filter { $0.isIn("Tests/Exploring/BrokenModels") }

  @Test("say where they are to be found", arguments: patches)
  func places(path: String) throws {
    let patch = try #require(TextFile(path: path))

    #expect(patch.lines.contains { $0.hasPrefix("Scenario: ") })
  }

  @Test("fit the sources as they are", arguments: patches + models)
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

  @Test("stand in the guide, each with its name")
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
