internal import Streams

/// Checks of demand.
enum Demanding {
  static func nothing(_ candidate: Candidate, _ findings: inout Findings) {
    let run = candidate.run(.none)
    run.drive()
    findings.expect(run.recorder.values.isEmpty, "\(run.recorder.values) without demand")
  }

  /// Ways to request values one after another.
  private static let splits: [[Subscribers.Demand]] = [
    [.max(1)], [.max(1), .max(1)], [.max(2), .max(1)], [.max(1), .max(2)], [.max(3)],
    [.max(1), .max(1), .max(1), .max(1)], [.max(2), .unlimited], [.unlimited],
  ]

  static func noMoreThanAsked(_ candidate: Candidate, _ findings: inout Findings) {
    for split in splits {
      let run = Run(LawStand(candidate), demand: .none)
      var excess = 0
      run.recorder.onValue = { recorder, _ in
        if let demanded = recorder.demanded.max { excess = max(excess, recorder.values.count - demanded) }
      }
      run.start().drive(requesting: split)
      findings.expect(excess == 0, "\(excess) values more than requested by \(split)")
    }
  }

  static func byAnswer(_ candidate: Candidate, _ findings: inout Findings) {
    let profile = candidate.profile
    for split in splits {
      let run = candidate.run(.none)
      run.drive(requesting: split)
      let isRight = profile.allows(run.recorder.values, asked: split.reduce(.none, +).max ?? .max)
      findings.expect(isRight, "\(split) brought \(run.recorder.values)", due: "a prefix of \(profile.sends)")
    }

    for (first, due) in [(Subscribers.Demand.none, 1), (.max(1), 2), (.max(2), 3), (.unlimited, .max)] {
      let run = Run(LawStand(candidate), demand: .max(1))
      run.recorder.answer = { [unowned recorder = run.recorder] _ in
        recorder.values.count == 1 ? first : .none
      }
      run.start()
      run.drive()
      let isRight = profile.allows(run.recorder.values, asked: due)
      findings.expect(
        isRight, "max(1), then \(first), brought \(run.recorder.values)", due: "\(due) of \(profile.sends)")
    }
  }

  static func afterCancellation(_ candidate: Candidate, _ findings: inout Findings) {
    let run = candidate.flow(candidate.profile.kind == .source ? .none : .max(1))
    run.cancel()
    expectNothing(from: run, &findings)

    // What was held back for want of demand is not to be had any more.
    let holding = candidate.run(.none)
    holding.drive()
    let held = holding.recorder.events
    if !holding.recorder.completions.isEmpty { return }
    holding.cancel()
    holding.request(.max(1))
    findings.expect(holding.recorder.events == held, "the request brought \(holding.recorder.events)")
  }

  /// Requests a value of a run that is over.
  private static func expectNothing(from run: Run, _ findings: inout Findings) {
    let (demands, events) = (run.ties.map(\.demands), run.recorder.events)
    run.request(.max(1))
    findings.expect(run.ties.map(\.demands) == demands, "the request reached upstream")
    findings.expect(run.recorder.events == events, "the request brought \(run.recorder.events)")
  }

  static func afterCompletion(_ candidate: Candidate, _ findings: inout Findings) {
    let run = candidate.run(.unlimited)
    run.drive()
    expectNothing(from: run, &findings)
  }

  static func insideValues(_ candidate: Candidate, _ findings: inout Findings) {
    let run = Run(LawStand(candidate), demand: .max(1))
    run.recorder.onValue = { recorder, _ in recorder.request(.max(1)) }
    run.start()
    run.drive()
    findings.expect(
      candidate.profile.allows(run.recorder.values), "\(run.recorder.values) arrived",
      due: candidate.profile.sends)
    findings.expect(run.recorder.completions.count == 1, "\(run.recorder.completions.count) completions")
  }

  static func fromUpstream(_ candidate: Candidate, _ findings: inout Findings) {
    for split in splits {
      for answer in [Subscribers.Demand.none, .max(1)] where split.last != .unlimited || answer == .none {
        let run = candidate.run(.none, answering: answer)
        run.drive(requesting: split)
        for (number, tie) in run.ties.enumerated() {
          let demands = tie.demands
          findings.expect(
            !demands.contains(.none), "upstream \(number) received a request for nothing: \(demands)")
          let rest = demands.drop { $0 != .unlimited }.dropFirst()
          findings.expect(
            rest.isEmpty, "upstream \(number) received a request after an unlimited one: \(demands)")
        }
      }
    }
  }

  static func againstSurplus(_ candidate: Candidate, _ findings: inout Findings) {
    let run = candidate.flow(.max(1))
    for _ in 1...3 { run.sayPassing() }
    findings.expect(run.delivered.count <= 1, "\(run.delivered.count) values arrived for a demand of one")
  }

  /// The half without traps, which are tested in a process of their own.
  static func zero(_ candidate: Candidate, _ findings: inout Findings) {
    let run = candidate.flow(.max(1))
    let events = run.recorder.events
    run.request(.none)
    findings.expect(run.recorder.events == events, "asking for nothing brought \(run.recorder.events)")
    run.recorder.request(.unlimited)
    run.drive()
    findings.expect(
      candidate.profile.allows(run.recorder.values), "then only \(run.recorder.values) arrived",
      due: candidate.profile.sends)
  }

  static func withoutDeepeningTheStack(_ candidate: Candidate, _ findings: inout Findings) {
    let (few, many) = (depth(candidate, 20), depth(candidate, 500))
    // Of an operator that nobody has described, nobody knows how many values there must be.
    let isComplete = candidate.profile.isSurveyed || many.count >= 500
    findings.expect(isComplete, "of 500 values only \(many.count) arrived")
    findings.expect(
      many.span <= few.span + 4096, "the stack is \(many.span) deep instead of \(few.span) bytes")
  }

  /// How far apart on the stack the values of a synchronous upstream are received.
  private static func depth(_ candidate: Candidate, _ count: Int) -> (count: Int, span: UInt) {
    let stand = LawStand(candidate)
    let profile = candidate.profile
    let values = (0..<count * profile.inputsPerValue).map {
      profile.passing + (profile.needsDistinctValues ? $0 : 0)
    }
    for (number, upstream) in stand.upstreams.enumerated()
    where profile.takesOneOfEach || number == profile.lead {
      upstream.speaksWhenAsked(values)
    }
    let run = Run(stand, demand: .none)
    var (lowest, highest) = (UInt.max, UInt.min)
    run.recorder.onValue = { recorder, _ in
      withUnsafeBytes(of: recorder) { here in
        let address = UInt(bitPattern: here.baseAddress)
        (lowest, highest) = (min(lowest, address), max(highest, address))
      }
      recorder.request(.max(1))
    }
    run.start()
    run.stand.settle()
    if !profile.takesOneOfEach { run.begin() }
    run.request(.max(1))
    if !profile.takesOneOfEach { run.begin() }
    return (run.recorder.values.count, highest > lowest ? highest - lowest : 0)
  }
}
