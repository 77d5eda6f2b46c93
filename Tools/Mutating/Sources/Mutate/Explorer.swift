import Foundation
import Mutations

/// The explorer of interleavings, built with the mutants: it sees what only threads do.
struct Explorer: Sendable {
  let program: String
  /// Scenarios whose names begin with the same word, and the mutants that they reach.
  let groups: [Trials.Suite]

  /// Runs each group without a mutant.
  ///
  /// - Returns: Nil if a scenario fails.
  init?(program: String, folder: String, count: Int, jobs: Int) throws {
    let list = try Command(
      arguments: [program, "--list"], folder: folder, environment: ProcessInfo.processInfo.environment
    ).run()
    let names = beginnings(of: list.output.split(separator: "\n").map(String.init))
    guard list.end == .exited(0), !names.isEmpty else { return nil }
    let groups = try parallel(names.count, jobs: jobs) { index in
      try Trials.observe(names[index], count: count, in: folder) {
        try Self.run(program, names[index], $0, limit: 1200)
      }
    }
    guard groups.allSatisfy({ $0 != nil }) else { return nil }
    self.program = program
    self.groups = groups.compactMap(\.self)
  }

  var seconds: Double { groups.reduce(0) { $0 + $1.seconds } }

  /// Runs all schedules in which a thread is interrupted once: minutes, where two interruptions take an hour.
  ///
  /// - Returns: Nil if it finds nothing.
  func judge(_ number: Int) throws -> (verdict: Verdict, by: String)? {
    for group in groups.filter({ $0.reached.contains(number) }).sorted(by: { $0.seconds < $1.seconds }) {
      // A mutant may make more schedules than there are without it.
      let outcome = try Self.run(
        program, group.name, ["MUTANT": "\(number)"], limit: 3 * group.seconds + 20)
      switch outcome.end {
      case .exited(0), .stopped: continue
      case .ranOutOfTime: return (.time, "the explorer, \(group.name)")
      case .exited, .signalled:
        return (.killed, "the explorer: \(outcome.output.prefix { $0 != "\n" }.prefix(140))")
      }
    }
    return nil
  }

  private static func run(
    _ program: String, _ scenarios: String, _ variables: [String: String], limit: Double
  ) throws -> Command.Outcome {
    var environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    environment["SWIFT_BACKTRACE"] = "enable=no"
    return try Command(
      arguments: [program, "--preemptions", "1", "--stale", "0", "--first", "--scenario", scenarios],
      folder: NSTemporaryDirectory(), environment: environment, limit: limit
    ).run()
  }
}
