internal import Streams

/// Checks of completions, and of upstreams that continue after them.
enum Ending {
  static func exactlyOnce(_ candidate: Candidate, _ findings: inout Findings) {
    let run = candidate.run(.unlimited)
    run.drive()
    let recorder = run.recorder
    findings.expect(
      candidate.profile.allows(recorder.values), "\(recorder.values) arrived", due: candidate.profile.sends)
    findings.expect(
      recorder.completions == [candidate.profile.ending], "it ended with \(recorder.completions)",
      due: candidate.profile.ending)
    guard case .completion? = recorder.events.last else {
      return findings.expect(false, "the last event is not the completion")
    }
  }

  static func withoutDemand(_ candidate: Candidate, _ findings: inout Findings) {
    let profile = candidate.profile
    if profile.kind == .source {
      let run = candidate.run(.none)
      run.stand.settle()
      return findings.expect(
        run.recorder.completions == [profile.ending], "\(run.recorder.completions) arrived",
        due: profile.ending)
    }

    let failing = candidate.flow(.none)
    if failing.lead?.canFail != false, let due = profile.failing {
      failing.fail()
      let completions = failing.recorder.completions
      findings.expect(completions == [due], "upstream failed, and \(completions) arrived", due: due)
    }

    let finishing = candidate.flow(.none)
    if profile.coda == 0 {
      finishing.finish()
      let completions = finishing.recorder.completions
      findings.expect(
        completions == [.finished], "upstream finished, and \(completions) arrived", due: "finished")
    }
  }

  static func byThrowing(_ candidate: Candidate, _ findings: inout Findings) {
    let profile = candidate.profile
    end(
      candidate, after: profile.throwsAfter, at: profile.throwsAt, with: profile.throwsWith,
      &findings)
  }

  static func early(_ candidate: Candidate, _ findings: inout Findings) {
    let profile = candidate.profile
    end(
      candidate, after: profile.stopsAfter, at: profile.stopsAt, sending: profile.stopsWith, with: .finished,
      &findings)
  }

  private static func end(
    _ candidate: Candidate, after before: [Int] = [], at value: Int?, sending last: [Sample] = [],
    with completion: Subscribers.Completion<TestFailure>, _ findings: inout Findings
  ) {
    let run = candidate.flow(.unlimited)
    for value in before { run.say(value) }
    let count = run.recorder.values.count
    if let value { run.say(value) }

    let cancellations = run.lead?.tie?.cancellations ?? 0
    findings.expect(cancellations == 1, "upstream was cancelled \(cancellations) times")
    findings.expect(
      run.recorder.completions == [completion], "it ended with \(run.recorder.completions)", due: completion)
    let sent = Array(run.recorder.values.dropFirst(count))
    findings.expect(sent == last, "at its end it sent \(sent) instead of \(last)")
    let cancel = "upstream \(candidate.profile.lead): cancel"
    let end = Recorder<Sample, TestFailure>.Event.completion(completion)
    findings.expect(
      run.stand.journal.has(cancel, before: "downstream: \(end)"), "it ended before upstream was cancelled")
  }

  static func beforeMoreValues(_ candidate: Candidate, _ findings: inout Findings) {
    for fails in [false, true] {
      let run = candidate.flow(.unlimited)
      if fails, run.lead?.canFail == false { continue }
      if fails { run.fail() } else { run.finishLead() }
      let values = run.recorder.values
      run.sayPassing()
      findings.expect(run.recorder.values == values, "a value arrived after upstream's completion")
    }
    let run = candidate.flow(.unlimited)
    run.finish()
    let events = run.recorder.events
    run.sayPassing()
    findings.expect(run.recorder.events == events, "a value arrived after the completion")
  }

  static func beforeMoreEndings(_ candidate: Candidate, _ findings: inout Findings) {
    for fails in [false, true] {
      let run = candidate.flow(.unlimited)
      run.finish()
      if fails { run.fail() } else { run.finishLead() }
      run.finish()
      let count = run.recorder.completions.count
      findings.expect(count == 1, "\(count) completions arrived")
    }
  }

  static func notBegunByValue(_ candidate: Candidate, _ findings: inout Findings) {
    let run = candidate.flow(.unlimited, withholding: true)
    run.sayPassing()
    findings.expect(run.delivered.isEmpty, "\(run.delivered) arrived")
    findings.expect(run.recorder.completions.isEmpty, "it ended with \(run.recorder.completions)")
  }

  static func notBegunByCompletion(_ candidate: Candidate, _ findings: inout Findings) {
    let run = candidate.flow(.unlimited, withholding: true)
    run.finish()
    let recorder = run.recorder
    findings.expect(recorder.completions.count <= 1, "\(recorder.completions.count) completions arrived")
    if recorder.completions.isEmpty { return }
    findings.expect(recorder.subscriptions.count == 1, "a completion arrived without a subscription")

    let events = recorder.events
    if let tie = run.lead?.tie { run.lead?.handOver(tie) }
    run.stand.settle()
    findings.expect(recorder.events == events, "an event arrived after the completion: \(recorder.events)")
  }

  static func afterScheduledValues(_ candidate: Candidate, _ findings: inout Findings) {
    let run = candidate.flow(.unlimited)
    for value in candidate.profile.inputs { run.lead?.speak(value) }
    run.lead?.finish()
    run.finish()
    findings.expect(
      candidate.profile.allowsInHaste(run.recorder.values), "\(run.recorder.values) arrived",
      due: candidate.profile.sends)
    guard case .completion? = run.recorder.events.last else {
      return findings.expect(false, "the completion did not come last: \(run.recorder.events)")
    }
  }
}
