import Foundation
import Mutations

/// Builds the tree with its mutants, and leaves out those that the compiler refuses.
struct Build {
  let tree: Tree
  let plan: Plan
  let sources: [String: Source]
  let candidates: [Candidates.Candidate]
  private(set) var refused: Set<Int> = []
  private(set) var rounds = 0

  private static let mostRounds = 25
  private var scratch: String { "\(tree.root)/.build-mutating/build" }
  private var log: String { "\(tree.root)/.build-mutating/build.log" }

  init(tree: Tree, plan: Plan, sources: [String: Source], candidates: [Candidates.Candidate]) {
    self.tree = tree
    self.plan = plan
    self.sources = sources
    self.candidates = candidates
  }

  /// - Returns: The program with all tests. Mutants have the numbers of their places in `candidates`.
  mutating func run() throws -> String {
    while true {
      rounds += 1
      try write()
      let outcome = try Command(
        arguments: [
          "swift", "build", "--build-tests", "--package-path", tree.folder, "--scratch-path", scratch,
        ], folder: tree.folder, environment: ProcessInfo.processInfo.environment
      ).run()
      try outcome.output.write(toFile: log, atomically: true, encoding: .utf8)
      if outcome.end == .exited(0) { return "\(scratch)/debug/StreamsPackageTests.xctest" }
      let more = blamed(outcome.output).subtracting(refused)
      guard !more.isEmpty, rounds < Self.mostRounds else {
        let errors = outcome.output.split(separator: "\n").filter { $0.contains("error: ") }.prefix(5)
        throw Tree.Failure(
          description: "the tree does not build, see \(log)\n\(errors.joined(separator: "\n"))")
      }
      refused.formUnion(more)
    }
  }

  /// - Returns: The explorer with the same mutants; nil if it does not build with them.
  func explorer() throws -> String? {
    let scratch = "\(tree.root)/.build-mutating/explorer"
    let outcome = try Command(
      arguments: [
        "swift", "build", "-c", "release", "--product", "Explore", "--package-path",
        "\(tree.folder)/Tests/Exploring", "--scratch-path", scratch,
      ], folder: tree.folder, environment: ProcessInfo.processInfo.environment
    ).run()
    try outcome.output.write(toFile: scratch + ".log", atomically: true, encoding: .utf8)
    return outcome.end == .exited(0) ? "\(scratch)/release/Explore" : nil
  }

  private mutating func write() throws {
    var texts: [String: String] = [:]
    let places = candidates.indices.filter { !refused.contains($0) }
    for (path, places) in Dictionary(grouping: places, by: { candidates[$0].mutant.path }) {
      let (text, written) = Schemata.text(of: sources[path]!, places.map { ($0, candidates[$0].mutant) })
      texts[path] = text
      refused.formUnion(Set(places).subtracting(written))
    }
    try tree.write(plan, texts)
  }

  /// The mutants that errors are about: those of the line, in as few lines as possible; else those of the
  /// function that is around it; else those of the file.
  private func blamed(_ output: String) -> Set<Int> {
    var result: Set<Int> = []
    let places = Set(output.split(separator: "\n").compactMap { place(String($0)) })
    for place in places {
      let there = candidates.indices.filter {
        candidates[$0].mutant.path == place.path && !refused.contains($0)
      }
      let onLine = there.filter { candidates[$0].mutant.lines.contains(place.line) }
      let least = onLine.map { candidates[$0].mutant.lines.count }.min()
      let inFunction = there.filter { candidates[$0].mutant.function?.contains(place.line) ?? false }
      if let least {
        result.formUnion(onLine.filter { candidates[$0].mutant.lines.count == least })
      } else {
        result.formUnion(inFunction.isEmpty ? there : inFunction)
      }
    }
    return result
  }

  private struct Place: Hashable {
    let path: String
    let line: Int
  }

  /// `…/tree/Sources/….swift:12:3: error: …`, and where a compiler that crashes says it was.
  private func place(_ text: String) -> Place? {
    guard text.contains(": error: ") || text.contains(" at [") else { return nil }
    guard let start = text.range(of: tree.folder + "/")?.upperBound else { return nil }
    let fields = text[start...].split(separator: ":", maxSplits: 2)
    guard fields.count == 3, let line = Int(fields[1]) else { return nil }
    return Place(path: String(fields[0]), line: line)
  }
}
