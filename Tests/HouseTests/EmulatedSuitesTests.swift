import Foundation
import Testing

/// An emulator has no seccomp, so suites that start worker processes cannot run in one.
@Suite("Emulated suites")
struct EmulatedSuitesTests {
  @Test("`Scripts/matrix` skips each suite that starts worker processes in an emulator")
  func workers() throws {
    let script = try #require(Repository.texts.first { $0.path == "Scripts/matrix" })
    let parts = script.lines.filter { $0.hasPrefix("needs_seccomp") }.map { line in
      line.drop { $0 != "'" }.dropFirst().dropLast()
    }
    let pattern = try Regex(parts.joined())

    let wrong = Self.suites.filter { !$0.contains(pattern) }

    #expect(Self.suites.count > 5)
    #expect(wrong == [])
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
