import Foundation
import Interleavings
import Testing

extension Bounds {
  /// However busy the machine is.
  static let patient = Bounds(time: .seconds(300))
}

/// Runs `search`, and expects a counterexample that names one of `lines`, or none.
func expectBug(
  _ isExpected: Bool, _ words: String, line lines: String...,
  sourceLocation: SourceLocation = #_sourceLocation, _ search: () throws -> Exploration
) throws {
  do {
    let exploration = try search()
    #expect(!isExpected, "The bug was not found: \(exploration)", sourceLocation: sourceLocation)
    #expect(exploration.isExhausted, sourceLocation: sourceLocation)
  } catch let found as Counterexample {
    guard isExpected else {
      Issue.record(found, sourceLocation: sourceLocation)
      return
    }
    // On an idle machine, that is much less than a second.
    #expect(found.schedules < 5000, sourceLocation: sourceLocation)
    #expect(found.description.contains(words), sourceLocation: sourceLocation)
    let places = try sourceLines(in: found)
    #expect(
      places.contains { place in lines.contains { place.contains($0) || $0.isEmpty } }, "\(found)",
      sourceLocation: sourceLocation)
  }
}

/// What `search` finds. Not by a macro: code in one has no lines of its own.
func counterexample(
  sourceLocation: SourceLocation = #_sourceLocation, _ search: () throws -> some Any
) -> Counterexample? {
  do {
    _ = try search()
    Issue.record("Nothing was found.", sourceLocation: sourceLocation)
  } catch let found as Counterexample {
    return found
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  return nil
}

/// The text of each line that the counterexample names.
private func sourceLines(in found: Counterexample) throws -> [String] {
  let folder = URL(filePath: #filePath).deletingLastPathComponent()
  return try found.description.matches(of: /([A-Za-z]+\.swift):(\d+)/).compactMap { match in
    for part in ["", "Bugs"] {
      let file = folder.appending(path: part).appending(path: match.1)
      guard FileManager.default.fileExists(atPath: file.path) else { continue }
      let lines = try String(contentsOf: file, encoding: .utf8).split(
        separator: "\n", omittingEmptySubsequences: false)
      let number = Int(match.2)!
      return number <= lines.count ? String(lines[number - 1]) : nil
    }
    return nil
  }
}
