import Foundation
import Mutations

/// What became of a mutant.
enum Verdict: String {
  case killed, time, survived, unreached, invalid

  var isKill: Bool { self == .killed || self == .time }
}

/// What is known of earlier runs: a file that lines are added to. A kill holds for as long as its source does
/// not change, and that a mutant survives only as long as no test does.
final class Results {
  struct Result {
    let verdict: Verdict
    let by: String
  }

  private let file: FileHandle
  private let tests: String
  private var known: [[String]: Result] = [:]

  init(path: String, tests: UInt64) throws {
    self.tests = String(tests, radix: 16)
    if !FileManager.default.fileExists(atPath: path) {
      try Data().write(to: URL(fileURLWithPath: path))
    }
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 8, let verdict = Verdict(rawValue: fields[5]) else { continue }
      let holds = verdict.isKill || verdict == .invalid || fields[7] == self.tests
      known[Array(fields[0..<2]) + [fields[2...4].joined(separator: "\u{1F}")]] =
        holds ? Result(verdict: verdict, by: fields[6]) : nil
    }
    guard let file = FileHandle(forWritingAtPath: path) else {
      throw Tree.Failure(description: "\(path) cannot be written")
    }
    self.file = file
    try file.seekToEnd()
  }

  subscript(_ candidate: Candidates.Candidate) -> Result? { known[Self.key(candidate)] }

  func note(_ candidate: Candidates.Candidate, _ verdict: Verdict, by: String) throws {
    let key = Self.key(candidate)
    known[key] = Result(verdict: verdict, by: by)
    let names = key[2].split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
    let reason = by.replacing("\t", with: " ").replacing("\n", with: " ")
    let fields = key[0..<2] + names + [verdict.rawValue, reason, tests]
    try file.write(contentsOf: Data((fields.joined(separator: "\t") + "\n").utf8))
  }

  private static func key(_ candidate: Candidates.Candidate) -> [String] {
    candidate.key.map { $0.replacing("\t", with: " ") }
  }
}
