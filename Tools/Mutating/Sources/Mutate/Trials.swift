import Foundation
import Mutations

/// Runs tests: each suite once to see what it reaches, and then for each mutant those that reach it.
struct Trials: Sendable {
  let program: String
  let root: String
  let jobs: Int
  let explorer: Explorer?
  /// The mutants that the explorer sees.
  let explored: Set<Int>
  /// When to end, by the clock of `Command`.
  let deadline: Double

  /// A suite, how long it takes, and the mutants that it reaches.
  struct Suite: Sendable {
    let name: String
    let seconds: Double
    let reached: Set<Int>
  }

  private var runs: String { "\(root)/.build-mutating/runs" }

  private var isOver: Bool { Command.now() >= deadline }

  /// Whether only the explorer could tell that nothing notices a mutant, and it is not there.
  func isUnexplored(_ number: Int) -> Bool { explorer == nil && explored.contains(number) }

  /// Names of the suites in some of the targets with tests.
  func suites(of tests: Set<String>) throws -> Set<String> {
    setBounds()
    try? FileManager.default.removeItem(atPath: runs)
    try FileManager.default.createDirectory(atPath: runs, withIntermediateDirectories: true)
    let list = try Command(
      arguments: [program, "--testing-library", "swift-testing", "--list-tests"], folder: runs,
      environment: ProcessInfo.processInfo.environment
    ).run()
    let names = list.output.split(separator: "\n").compactMap { $0.split(separator: "/").first }
      .filter { name in tests.contains { name.hasPrefix($0 + ".") } }
    guard list.end == .exited(0), !names.isEmpty else {
      throw Tree.Failure(description: "no tests: \(list.output)")
    }
    return Set(names.map(String.init))
  }

  /// The suites that pass without a mutant, and the names of those that do not. Suites for which there is no time are
  /// in neither.
  func record(_ names: Set<String>, count: Int) throws -> (suites: [Suite], broken: [String]) {
    let all = names.sorted()
    let outcomes = try parallel(all.count, jobs: jobs) { try observe(all[$0], count) }
    let broken = isOver ? [] : zip(all, outcomes).filter { $1 == nil }.map(\.0)
    return (outcomes.compactMap(\.self), broken)
  }

  /// Whatever mutants do, they do it within these bounds, which processes inherit.
  private func setBounds() {
    var memory = rlimit(rlim_cur: 8 << 30, rlim_max: 8 << 30)
    var files = rlimit(rlim_cur: 2 << 30, rlim_max: 2 << 30)
    var cores = rlimit(rlim_cur: 0, rlim_max: 0)
    #if os(Linux)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &files)
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &cores)
    #else
      setrlimit(RLIMIT_AS, &memory)
      setrlimit(RLIMIT_FSIZE, &files)
      setrlimit(RLIMIT_CORE, &cores)
    #endif
  }

  /// What a suite reaches; nil if it fails twice without a mutant.
  private func observe(_ name: String, _ count: Int) throws -> Suite? {
    for _ in 0..<2 where !isOver {
      let suite = try Self.observe(name, count: count, in: runs) { try run([name], limit: 300, $0) }
      if let suite { return suite }
    }
    return nil
  }

  /// What is reached by a process, which `body` runs with these variables; nil if it fails without a mutant.
  static func observe(
    _ name: String, count: Int, in folder: String, _ body: ([String: String]) throws -> Command.Outcome
  ) throws -> Suite? {
    let file = "\(folder)/\(UUID().uuidString).reached"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data(count: max(1, count)).write(to: URL(fileURLWithPath: file))
    let outcome = try body(["MUTANTS_REACHED": file])
    guard outcome.end == .exited(0), !outcome.output.contains("with 0 tests") else { return nil }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    return Suite(
      name: name, seconds: outcome.seconds, reached: Set(bytes.indices.filter { bytes[$0] != 0 }))
  }

  /// The suites that tell most about a mutant first, then more and more at once.
  ///
  /// - Returns: Nil if the time is over before.
  func judge(_ number: Int, _ suites: [Suite]) throws -> (verdict: Verdict, by: String)? {
    // Few mutants reached: the suite is about them. Short: it costs little to ask.
    var waiting = suites.filter { $0.reached.contains(number) }
      .sorted {
        Double($0.reached.count) * max($0.seconds, 0.2) < Double($1.reached.count) * max($1.seconds, 0.2)
      }[...]
    let isReached = !waiting.isEmpty
    var budget = 1.0
    while !waiting.isEmpty {
      if isOver { return nil }
      var batch: [Suite] = [], seconds = 0.0
      while let next = waiting.first, batch.isEmpty || seconds + next.seconds <= budget {
        batch.append(next)
        seconds += next.seconds
        waiting.removeFirst()
      }
      budget *= 4
      let outcome = try run(batch.map(\.name), limit: 5 * seconds + 20, ["MUTANT": "\(number)"], stop: "✘ ")
      switch outcome.end {
      case .exited(0): continue
      case .ranOutOfTime where isOver: return nil
      case .ranOutOfTime: return (.time, batch.count == 1 ? batch[0].name : "\(batch.count) suites")
      case .signalled(let signal): return (.killed, "signal \(signal) in \(batch[0].name)")
      case .exited, .stopped:
        let line = outcome.output.split(separator: "\n").first { $0.hasPrefix("✘ ") }
        return (.killed, String((line ?? "\(outcome.end) in \(batch[0].name)").prefix(160)))
      }
    }
    return (isReached ? .survived : .unreached, "")
  }

  /// - Returns: Nil if the explorer finds nothing, or does not see the mutant.
  func explore(_ number: Int) throws -> (verdict: Verdict, by: String)? {
    explored.contains(number) ? try explorer?.judge(number) : nil
  }

  /// Runs suites in a process with folders that no other has.
  private func run(
    _ suites: [String], limit: Double, _ variables: [String: String], stop: String? = nil
  ) throws -> Command.Outcome {
    let folder = "\(runs)/\(UUID().uuidString.prefix(8))"
    var environment = ProcessInfo.processInfo.environment
    for (name, place) in [
      ("HOME", "home"), ("TMPDIR", "tmp"), ("XDG_CACHE_HOME", "cache"), ("XDG_DATA_HOME", "data"),
      ("XDG_CONFIG_HOME", "config"), ("XDG_PICTURES_DIR", "pictures"),
    ] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(place)", withIntermediateDirectories: true)
      environment[name] = "\(folder)/\(place)"
    }
    // Processes that give up being root write there, too.
    try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: "\(folder)/tmp")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // A crash is expected, and a report of it takes longer than the tests.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    // What fails is looked for at the beginning of a line.
    environment["NO_COLOR"] = "1"
    environment["TERM"] = "dumb"
    environment["COLORTERM"] = nil
    environment.merge(variables) { $1 }
    let filter = suites.map { "^\(NSRegularExpression.escapedPattern(for: $0))(/|$)" }.joined(separator: "|")
    return try Command(
      arguments: [program, "--testing-library", "swift-testing", "--no-parallel", "--filter", filter],
      folder: folder, environment: environment, limit: min(limit, max(0, deadline - Command.now())),
      stop: stop
    ).run()
  }
}
