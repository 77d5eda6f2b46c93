import Mutations

/// What came of it: the survivors, and the last line.
struct Report {
  private let drawn: [Candidates.Candidate]
  private let equivalentCount: Int
  private let verdicts: [Verdict?]
  /// Mutants in functions of which no mutant is left to decide.
  let decided: [Mutant]

  init(
    drawn: [Candidates.Candidate], equivalents: Equivalents, result: (Candidates.Candidate) -> Results.Result?
  ) {
    let kept = drawn.filter { !equivalents.contains($0.mutant) }
    equivalentCount = drawn.count - kept.count
    self.drawn = kept
    verdicts = kept.map { result($0)?.verdict }
    let open = zip(kept, verdicts).filter { $1.map { $0 == .survived || $0 == .unreached } ?? true }
    let places = Set(open.map { [$0.0.mutant.path, $0.0.mutant.place] })
    decided = drawn.map(\.mutant).filter { !places.contains([$0.path, $0.place]) }
  }

  var survivors: [(candidate: Candidates.Candidate, isReached: Bool)] {
    zip(drawn, verdicts).filter { $1 == .survived || $1 == .unreached }.map { ($0, $1 == .survived) }
  }

  static func text(_ mutant: Mutant) -> String {
    "\(mutant.path):\(mutant.line): \(mutant.kind)\n  - \(mutant.original)\n  + \(mutant.mutated)"
  }

  func write(seconds: Double) {
    for (candidate, isReached) in survivors {
      print(Self.text(candidate.mutant) + (isReached ? "" : "\n  no test runs where this makes a difference"))
    }
    writeCounts(of: "mutate", "; \(Int(seconds)) s")
  }

  func writeCounts(of name: String, _ end: String = "") {
    let judged = zip(drawn, verdicts).filter { $1 != .invalid && $1 != nil }
    let undecided = verdicts.count { $0 == nil }
    let killed = judged.count { $1!.isKill }
    let byTime = judged.count { $1 == .time }
    var groups: [String] = []
    for name in Plan.targets.map(\.group) where !groups.contains(where: { $0.hasPrefix(name + " ") }) {
      let own = judged.filter { $0.0.group == name }
      if !own.isEmpty { groups.append("\(name) \(own.count { $1!.isKill }) of \(own.count)") }
    }
    let score = judged.isEmpty ? 100 : 1000 * killed / judged.count
    print(
      "\(name): killed \(killed) of \(judged.count) (\(score / 10).\(score % 10) %), "
        + "\(equivalentCount) equivalent, \(byTime) by time, "
        + "\(drawn.count - judged.count - undecided) did not compile"
        + (undecided == 0 ? "" : ", \(undecided) not decided in time") + (groups.isEmpty ? "" : "; ")
        + groups.joined(separator: ", ") + end)
  }
}
