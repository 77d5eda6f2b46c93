import Foundation
import Testing

/// An emulator has no seccomp, so suites that start worker processes cannot run in one.
@Suite("Emulated suites")
struct EmulatedSuitesTests {
  @Test("`Scripts/matrix` skips each suite that starts worker processes in an emulator")
  func workers() throws {
    let pattern = try skipped()

    let wrong = Self.suites.filter { !$0.contains(pattern) }

    #expect(Self.suites.count > 5)
    #expect(wrong == [])
  }

  @Test(
    "A test that starts worker processes in another suite is called `isolated`, so that emulators skip it")
  func isolated() throws {
    let pattern = try skipped()
    let files = Repository.swift.filter {
      $0.path.isIn("Tests/ImageCodecsTests") && !$0.path.contains(pattern)
    }
    let wrong = files.flatMap { file -> [String] in
      var function = ""
      return file.lines.indices.compactMap { index in
        let line = file.lines[index]
        if let match = line.firstMatch(of: /func (\w+)/) { function = String(match.1) }
        return line.contains("IsolatedImageDecoder(") && function != "isolated" ? file.place(of: index) : nil
      }
    }

    #expect(wrong == [])
  }

  /// The names of the suites that emulators skip.
  private func skipped() throws -> Regex<AnyRegexOutput> {
    let script = try #require(Repository.texts.first { $0.path == "Scripts/matrix" })
    let parts = script.lines.filter { $0.hasPrefix("needs_seccomp") }.map { line in
      line.drop { $0 != "'" }.dropFirst().dropLast()
    }
    return try Regex(parts.joined())
  }

  private static let suites = Repository.swift.filter { file in
    file.path.isIn("Tests/ImageCodecsTests") && file.lines.contains { $0.contains("Workers.") }
  }.flatMap { file -> [String] in
    let outer = file.lines.contains { $0.contains("extension IsolationTests") } ? "IsolationTests/" : ""
    return file.lines.compactMap { line in
      line.firstMatch(of: /^ *struct ([A-Za-z]+Tests)\b/).map { "ImageCodecsTests.\(outer)\($0.1)/" }
    }
  }
}
