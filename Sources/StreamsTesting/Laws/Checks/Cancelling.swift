internal import Streams

/// Checks of cancellation.
enum Cancelling {
  static func silences(_ candidate: Candidate, _ findings: inout Findings) {
    for demand in [Subscribers.Demand.none, .max(1), .max(2)] {
      for finishing in [false, true] {
        let run = candidate.run(demand)
        run.drive(finishing: finishing)
        if !run.recorder.completions.isEmpty { continue }
        let events = run.recorder.events
        run.cancel()
        run.drive()
        findings.expect(
          run.recorder.events == events,
          "with demand \(demand), \(run.recorder.events) arrived after \(events)")
      }
    }
    let run = candidate.run(.none)
    run.cancel()
    run.drive()
    findings.expect(run.recorder.events.count <= 1, "cancelled at once, but \(run.recorder.events) arrived")
    insideCancellations(candidate, &findings)
  }

  /// An operator that ends cancels its upstreams, and one of these may cancel the stream.
  private static func insideCancellations(_ candidate: Candidate, _ findings: inout Findings) {
    let values = [candidate.profile.passing, candidate.profile.stopsAt, candidate.profile.throwsAt]
    let signals: [(any Line) -> Void] =
      [{ $0.finish() }, { $0.fail() }] + values.compactMap(\.self).map { value in { $0.speak(value) } }
    for number in candidate.flow(.unlimited).lines.indices {
      for signal in signals {
        let run = Run(LawStand(candidate), demand: .none)
        var isEnding = false
        var events: [Recorder<Sample, TestFailure>.Event]?
        for upstream in run.stand.upstreams {
          upstream.whenCancelled { [weak run] in
            guard let run, isEnding, events == nil else { return }
            events = run.recorder.events
            run.recorder.cancel()
          }
        }
        _ = run.start().flow(.unlimited)
        guard number < run.lines.count, !run.lines[number].isOver else { continue }
        isEnding = true
        signal(run.lines[number])
        run.stand.settle()
        let more = run.recorder.events.dropFirst(events?.count ?? .max)
        findings.expect(
          more.isEmpty, "cancelled inside the cancellation of an upstream, but \(Array(more)) arrived")
      }
    }
  }

  static func twice(_ candidate: Candidate, _ findings: inout Findings) {
    let run = candidate.flow(.unlimited)
    let alive = run.lines.filter { !$0.isOver }.compactMap(\.tie)
    run.cancel()
    run.cancel()
    let cancellations = alive.map(\.cancellations)
    findings.expect(cancellations.allSatisfy { $0 == 1 }, "upstreams were cancelled \(cancellations) times")
  }

  static func afterCompletion(_ candidate: Candidate, _ findings: inout Findings) {
    for fails in [false, true] {
      let run = candidate.flow(.unlimited)
      if fails { run.fail() } else { run.finish() }
      if run.recorder.completions.isEmpty { continue }
      let before = run.ties.map(\.cancellations)
      run.cancel()
      findings.expect(run.ties.map(\.cancellations) == before, "it reached upstream")
      findings.expect(run.lead?.tie?.cancellations == 0, "the ended upstream was cancelled")
    }
  }

  static func insideValues(_ candidate: Candidate, _ findings: inout Findings) {
    for count in 1...candidate.profile.sends.count {
      let run = Run(LawStand(candidate), demand: .unlimited)
      var alive: [SubscriptionRecorder] = []
      run.recorder.onValue = { [unowned run] recorder, _ in
        guard recorder.values.count == count else { return }
        alive = run.lines.filter { !$0.isOver }.compactMap(\.tie)
        recorder.cancel()
      }
      run.start()
      run.drive()
      run.stand.settle()

      let values = run.recorder.values
      findings.expect(
        candidate.profile.allows(values, asked: count), "cancelled at value \(count), but \(values) arrived",
        due: "a prefix of \(candidate.profile.sends)")
      let completions = run.recorder.completions
      findings.expect(completions.isEmpty, "cancelled at value \(count), but \(completions) arrived")
      let cancellations = alive.map(\.cancellations)
      findings.expect(
        cancellations.allSatisfy { $0 == 1 },
        "cancelled at value \(count), but upstreams were cancelled \(cancellations) times")
    }
  }

  static func insideSubscription(_ candidate: Candidate, _ findings: inout Findings) {
    for asks in [false, true] {
      let run = Run(LawStand(candidate), demand: .none)
      var events: [Recorder<Sample, TestFailure>.Event] = []
      run.recorder.onSubscription = { recorder in
        if asks { recorder.request(.unlimited) }
        events = recorder.events
        recorder.cancel()
      }
      run.start()
      run.drive()
      findings.expect(run.recorder.events == events, "\(run.recorder.events.dropFirst(events.count)) arrived")
      for tie in run.ties where !tie.demands.isEmpty {
        findings.expect(
          tie.cancellations == 1, "an upstream with a request was cancelled \(tie.cancellations) times")
      }
    }
  }

  static func againstTheDeaf(_ candidate: Candidate, _ findings: inout Findings) {
    let endings: [(Run) -> Void] = [{ $0.finish() }, { $0.fail() }]
    for end in endings {
      let run = candidate.flow(.unlimited)
      run.cancel()
      let events = run.recorder.events
      run.sayPassing()
      end(run)
      let more = run.recorder.events.dropFirst(events.count)
      findings.expect(more.isEmpty, "\(Array(more)) arrived")
    }
  }

  static func scheduledWork(_ candidate: Candidate, _ findings: inout Findings) {
    let run = candidate.flow(.unlimited)
    run.lead?.speak(candidate.profile.passing)
    run.lead?.finish()
    let events = run.recorder.events
    run.cancel()
    findings.expect(run.recorder.events == events, "\(run.recorder.events.dropFirst(events.count)) arrived")
    findings.expect(run.stand.scheduler.pending == 0, "work is left on the scheduler")
  }
}
