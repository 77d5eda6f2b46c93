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
    var decisions = try Decisions(text(of: "Decided.tsv"))
    let isListed = options.decided != .no && options.paths.isEmpty
    let paths = isListed ? decisions.files.map(\.path) : options.paths
    let candidates = try Candidates(tree: tree, paths: paths)
    let changed = candidates.all.filter { !decisions.contain($0.mutant) }
    let samples = options.sample.map { count in
      options.seeds.map { candidates.sample(count, seed: $0, isWeighted: paths.isEmpty) }
    }
    let drawn =
      switch options.decided {
      case .changed: changed
      case .daily: changed + distinct(samples ?? []).filter { decisions.contain($0.mutant) }
      case .no, .noted: samples.map(distinct) ?? candidates.all
      }
    if options.lists {
      for candidate in drawn { print(Report.text(candidate.mutant)) }
      print("mutate: \(drawn.count) of \(candidates.all.count) mutants")
      return true
    }
    guard !drawn.isEmpty else {
      print("mutate: \(candidates.all.count) mutants in \(paths.count) files, all are decided")
      return true
    }
    let targets = Plan.tests(of: drawn.map(\.mutant.path))
    let tests = tree.files.filter { path in targets.contains { path.hasPrefix("Tests/\($0)/") } }
    let hash = Hash.of(try tests.map { try tree.original($0) }.reduce(Data(), +))
    try FileManager.default.createDirectory(
      atPath: "\(options.root)/.build-mutating", withIntermediateDirectories: true)
    let results = try Results(path: "\(options.root)/.build-mutating/results.tsv", tests: hash)

    let pending = drawn.filter { results[$0] == nil && !equivalents.contains($0.mutant) }
    if !pending.isEmpty { try decide(pending, tree, candidates, results) }

    let report = Report(drawn: drawn, equivalents: equivalents) { results[$0] }
    report.write(seconds: Command.now() - start)
    if let samples, samples.count > 1 {
      for (seed, sample) in zip(options.seeds, samples) {
        Report(drawn: sample, equivalents: equivalents) { results[$0] }.writeCounts(of: "seed \(seed)")
      }
    }
    if options.decided == .noted {
      decisions.note(report.decided, in: Set(candidates.all.map(\.mutant.path)))
      try decisions.text.write(toFile: listed("Decided.tsv"), atomically: true, encoding: .utf8)
    }
    return !options.isStrict || report.survivors.isEmpty
  }

  /// Each mutant once, however many samples have it.
  private func distinct(_ samples: [[Candidates.Candidate]]) -> [Candidates.Candidate] {
    var seen: Set<[String]> = []
    return samples.joined().filter { seen.insert($0.key).inserted }
  }

  private func listed(_ name: String) -> String { "\(options.root)/Tools/Mutating/\(name)" }

  private func text(of name: String) throws -> String {
    try String(contentsOfFile: listed(name), encoding: .utf8)
  }

  /// What is listed must be there, or the list says nothing.
  private func equivalents(_ tree: Tree) throws -> Equivalents {
    let result = try Equivalents(text(of: "Equivalent.tsv"))
    let stale = result.stale { path in (try? tree.original(path)).map { String(decoding: $0, as: UTF8.self) }
    }
    guard stale.isEmpty else {
      let lines = stale.map { "  \($0.path): \($0.original)" }.joined(separator: "\n")
      throw Tree.Failure(description: "Equivalent.tsv lists what is not in the sources any more:\n\(lines)")
    }
    return result
  }

  private func decide(
    _ pending: [Candidates.Candidate], _ tree: Tree, _ candidates: Candidates, _ results: Results
  ) throws {
    var build = Build(tree: tree, sources: candidates.sources, candidates: pending, jobs: options.jobs)
    let program = try build.run()
    for number in build.refused { try results.note(pending[number], .invalid, by: "") }
    let count = pending.count - build.refused.count
    say("built \(count) mutants in \(build.rounds) rounds, \(build.refused.count) refused")

    // A build of the explorer takes longer than a run with a limit has.
    let explored = Set(pending.indices.filter { Plan.isExplored(pending[$0].mutant.path) })
    let explorer = explored.isEmpty || options.minutes != nil ? nil : try explorer(build, pending.count)
    if !explored.isEmpty {
      say(
        explorer.map { "built the explorer, whose \($0.groups.count) groups take \(Int($0.seconds)) s" }
          ?? "there is no explorer with them")
    }
    let trials = Trials(
      program: program, root: options.root, jobs: options.jobs, explorer: explorer, explored: explored,
      deadline: options.minutes.map { start + 60 * Double($0) } ?? .infinity)

    // The tests that mirror the files kill most of them, so that the others are run for fewer.
    var judgement = Judgement(pending: pending, results: results, trials: trials, say: say)
    let paths = pending.map(\.mutant.path)
    let suites = try trials.suites(of: Plan.tests(of: paths))
    let near = suites.intersection(try self.near(paths, suites, tree))
    var waiting = pending.indices.filter { !build.refused.contains($0) }
    waiting = try judgement.try(waiting, near, isLast: near == suites)
    if near != suites, !waiting.isEmpty {
      _ = try judgement.try(waiting, suites.subtracting(near), isLast: true)
    }
  }

  /// - Returns: Nil if it does not build with the mutants, or finds something without one.
  private func explorer(_ build: Build, _ count: Int) throws -> Explorer? {
    guard let program = try build.explorer() else { return nil }
    return try Explorer(
      program: program, folder: "\(options.root)/.build-mutating", count: count, jobs: options.jobs)
  }

  /// The suites that are declared in folders that mirror those of the files.
  private func near(_ paths: [String], _ suites: Set<String>, _ tree: Tree) throws -> Set<String> {
    let folders = Set(paths.flatMap { Plan.folders(of: $0, among: tree.files) })
    var result: Set<String> = []
    for file in tree.files where file.hasSuffix(".swift") && folders.contains(where: { file.hasPrefix($0) }) {
      let words = Set(
        String(decoding: try tree.original(file), as: UTF8.self)
          .split { !$0.isLetter && !$0.isNumber }.map(String.init))
      let target = file.split(separator: "/")[1]
      result.formUnion(words.map { "\(target).\($0)" }.filter { suites.contains($0) })
    }
    return result
  }

  private func say(_ text: String) {
    print("\(text), \(Int(Command.now() - start)) s")
    fflush(nil)
  }
}
