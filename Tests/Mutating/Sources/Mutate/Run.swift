import Foundation
import Mutations

/// From the options to the last line.
struct Run {
  let options: Options
  private let start = Command.now()

  init(_ options: Options) { self.options = options }

  /// - Returns: Whether it went as it should: with `--strict`, whether nothing survived.
  func run() throws -> Bool {
    let tree = try Tree(root: options.root)
    let equivalents = try equivalents(tree)
    let candidates = try Candidates(tree: tree, paths: options.paths)
    let drawn =
      options.sample.map { candidates.sample($0, seed: options.seed, isWeighted: options.paths.isEmpty) }
      ?? candidates.all
    if options.lists {
      for candidate in drawn { print(Report.text(candidate.mutant)) }
      print("mutate: \(drawn.count) of \(candidates.all.count) mutants")
      return true
    }
    let plan = Plan(paths: drawn.map(\.mutant.path))
    let tests = tree.files.filter { path in plan.tests.contains { path.hasPrefix("Tests/\($0)/") } }
    let hash = Hash.of(try tests.map { try tree.original($0) }.reduce(Data(), +))
    try FileManager.default.createDirectory(
      atPath: "\(options.root)/.build-mutating", withIntermediateDirectories: true)
    let results = try Results(path: "\(options.root)/.build-mutating/results.tsv", tests: hash)

    let pending = drawn.filter { results[$0] == nil && !equivalents.contains($0.mutant) }
    if !pending.isEmpty { try decide(pending, tree, plan, candidates, results) }

    let report = Report(drawn: drawn, equivalents: equivalents) { results[$0] }
    report.write(seconds: Command.now() - start)
    return !options.isStrict || report.survivors.isEmpty
  }

  /// What is listed must be there, or the list says nothing.
  private func equivalents(_ tree: Tree) throws -> Equivalents {
    let path = "\(options.root)/Tests/Mutating/Equivalent.tsv"
    let result = try Equivalents(String(contentsOfFile: path, encoding: .utf8))
    let stale = result.stale { path in (try? tree.original(path)).map { String(decoding: $0, as: UTF8.self) }
    }
    guard stale.isEmpty else {
      let lines = stale.map { "  \($0.path): \($0.original)" }.joined(separator: "\n")
      throw Tree.Failure(description: "Equivalent.tsv lists what is not in the sources any more:\n\(lines)")
    }
    return result
  }

  private func decide(
    _ pending: [Candidates.Candidate], _ tree: Tree, _ plan: Plan, _ candidates: Candidates,
    _ results: Results
  ) throws {
    var build = Build(tree: tree, plan: plan, sources: candidates.sources, candidates: pending)
    let program = try build.run()
    for number in build.refused { try results.note(pending[number], .invalid, by: "") }
    let count = pending.count - build.refused.count
    say("built \(count) mutants in \(build.rounds) rounds, \(build.refused.count) refused")

    let explored = Set(pending.indices.filter { Plan.isExplored(pending[$0].mutant.path) })
    let explorer = explored.isEmpty ? nil : try build.explorer()
    if !explored.isEmpty {
      say(explorer == nil ? "the explorer does not build with them" : "built the explorer")
    }
    let trials = Trials(
      program: program, root: options.root, jobs: options.jobs, explorer: explorer, explored: explored)
    let (suites, broken) = try trials.record(count: pending.count)
    for name in broken { print("mutate: \(name) fails without a mutant, and is left out") }
    say("recorded \(suites.count) suites")

    let numbers = pending.indices.filter { !build.refused.contains($0) }
    // Results are written as they come, so that a run that is ended goes on from there.
    let done = Shared((count: 0, alive: 0))
    let noted = Shared((results: results, pending: pending))
    _ = try trials.parallel(numbers.count) { index in
      let (verdict, by) = try trials.judge(numbers[index], suites)
      try noted.withLock { try $0.results.note($0.pending[numbers[index]], verdict, by: by) }
      let (count, alive) = done.withLock { done in
        done.count += 1
        if !verdict.isKill { done.alive += 1 }
        return done
      }
      if count % 25 == 0 { say("\(count) of \(numbers.count) tried, \(alive) alive") }
    }
  }

  private func say(_ text: String) {
    print("\(text), \(Int(Command.now() - start)) s")
    fflush(nil)
  }
}
