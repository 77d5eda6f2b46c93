import Mutations

/// Tries mutants with suites, and writes down what comes of them.
struct Judgement {
  let pending: [Candidates.Candidate]
  let results: Results
  let trials: Trials
  let say: @Sendable (String) -> Void
  /// Mutants that suites have reached so far.
  private var reached: Set<Int> = []

  init(
    pending: [Candidates.Candidate], results: Results, trials: Trials,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.pending = pending
    self.results = results
    self.trials = trials
    self.say = say
  }

  /// - Parameter isLast: Whether a mutant that passes these suites survives.
  /// - Returns: Those that are not decided.
  mutating func `try`(_ numbers: [Int], _ names: Set<String>, isLast: Bool) throws -> [Int] {
    let (suites, broken) = try trials.record(names, count: pending.count)
    for name in broken { print("mutate: \(name) fails without a mutant, and is left out") }
    reached.formUnion(suites.flatMap(\.reached))
    say("recorded \(suites.count) of \(names.count) suites")

    // Results are written as they come, so that a run that is ended goes on from there.
    let isComplete = isLast && suites.count + broken.count == names.count
    let done = Shared((count: 0, alive: 0)), noted = Shared((results: results, pending: pending))
    let trials = trials, say = say, reached = reached
    return try parallel(numbers.count, jobs: trials.jobs) { index -> Int? in
      let number = numbers[index]
      guard var (verdict, by) = try trials.judge(number, suites) else { return number }
      if isComplete, !verdict.isKill, let more = try trials.explore(number) { (verdict, by) = more }
      if verdict == .unreached, reached.contains(number) { verdict = .survived }
      let (count, alive) = done.withLock { done in
        done.count += 1
        if !verdict.isKill { done.alive += 1 }
        return done
      }
      if count % 25 == 0 { say("\(count) of \(numbers.count) tried, \(alive) alive") }
      guard verdict.isKill || isComplete && !trials.isUnexplored(number) else { return number }
      try noted.withLock { try $0.results.note($0.pending[number], verdict, by: by) }
      return nil
    }.compactMap(\.self)
  }
}
