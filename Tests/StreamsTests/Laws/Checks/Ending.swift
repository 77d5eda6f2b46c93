import Streams
import StreamsTesting

/// Checks of how a stream ends, and of upstreams that do not know when it does.
enum Ending {
  static func exactlyOnce(_ operatorCase: OperatorCase, _ findings: inout Findings) {
    let run = operatorCase.run(.unlimited)
    run.drive()
    let recorder = run.recorder
    findings.expect(operatorCase.profile.allows(recorder.values), "\(recorder.values) came")
    findings.expect(
      recorder.completions == [operatorCase.profile.ending], "it ended with \(recorder.completions)")
    guard case .completion? = recorder.events.last else {
      return findings.expect(false, "the last event is not the completion")
    }
  }

  static func withoutDemand(_ operatorCase: OperatorCase, _ findings: inout Findings) {
    let profile = operatorCase.profile
    if profile.kind == .source {
      let run = operatorCase.run(.none)
      run.stand.settle()
      return findings.expect(run.recorder.completions == [profile.ending], "\(run.recorder.completions)")
    }

    let failing = operatorCase.flow(.none)
    if failing.lead?.canFail != false {
      failing.fail()
      let completions = failing.recorder.completions
      findings.expect(completions == [.failure(.scripted)], "upstream failed, and \(completions) came")
    }

    let finishing = operatorCase.flow(.none)
    if profile.coda == 0 {
      finishing.finish()
      let completions = finishing.recorder.completions
      findings.expect(completions == [.finished], "upstream finished, and \(completions) came")
    }
  }

  static func byThrowing(_ operatorCase: OperatorCase, _ findings: inout Findings) {
    let profile = operatorCase.profile
    end(
      operatorCase, after: profile.throwsAfter, at: profile.throwsAt, with: .failure(.thrown),
      as: "failure thrown", &findings)
  }

  static func early(_ operatorCase: OperatorCase, _ findings: inout Findings) {
    let profile = operatorCase.profile
    end(
      operatorCase, at: profile.stopsAt, sending: profile.stopsWith, with: .finished, as: "finished",
      &findings)
  }

  private static func end(
    _ operatorCase: OperatorCase, after before: [Int] = [], at value: Int?, sending last: [Int] = [],
    with completion: Subscribers.Completion<TestFailure>, as line: String, _ findings: inout Findings
  ) {
    let run = operatorCase.flow(.unlimited)
    for value in before { run.say(value) }
    let count = run.recorder.values.count
    if let value { run.say(value) }

    let cancellations = run.lead?.tie?.cancellations ?? 0
    findings.expect(cancellations == 1, "upstream was cancelled \(cancellations) times")
    findings.expect(run.recorder.completions == [completion], "it ended with \(run.recorder.completions)")
    let sent = Array(run.recorder.values.dropFirst(count))
    findings.expect(sent == last, "at its end it sent \(sent) instead of \(last)")
    let cancel = "upstream \(operatorCase.profile.lead): cancel"
    for line in last.map({ "value \($0)" }) + [line] {
      findings.expect(
        run.stand.journal.has(cancel, before: "downstream: \(line)"),
        "upstream was not cancelled before this was sent: \(line)")
    }
  }

  static func beforeMoreValues(_ operatorCase: OperatorCase, _ findings: inout Findings) {
    for fails in [false, true] {
      let run = operatorCase.flow(.unlimited)
      if fails, run.lead?.canFail == false { continue }
      if fails { run.fail() } else { run.finishLead() }
      let values = run.recorder.values
      run.sayPassing()
      findings.expect(run.recorder.values == values, "a value came after upstream's end")
    }
    let run = operatorCase.flow(.unlimited)
    run.finish()
    let events = run.recorder.events
    run.sayPassing()
    findings.expect(run.recorder.events == events, "a value came after the completion")
  }

  static func beforeMoreEndings(_ operatorCase: OperatorCase, _ findings: inout Findings) {
    for fails in [false, true] {
      let run = operatorCase.flow(.unlimited)
      run.finish()
      if fails { run.fail() } else { run.finishLead() }
      run.finish()
      let count = run.recorder.completions.count
      findings.expect(count == 1, "\(count) completions came")
    }
  }

  static func notBegunByValue(_ operatorCase: OperatorCase, _ findings: inout Findings) {
    let run = operatorCase.flow(.unlimited, withholding: true)
    run.sayPassing()
    findings.expect(run.delivered.isEmpty, "\(run.delivered) came")
    findings.expect(run.recorder.completions.isEmpty, "it ended with \(run.recorder.completions)")
  }

  static func notBegunByCompletion(_ operatorCase: OperatorCase, _ findings: inout Findings) {
    let run = operatorCase.flow(.unlimited, withholding: true)
    run.finish()
    let recorder = run.recorder
    findings.expect(recorder.completions.count <= 1, "\(recorder.completions.count) completions came")
    if recorder.completions.isEmpty { return }
    findings.expect(recorder.subscriptions.count == 1, "a completion came without a subscription")

    let events = recorder.events
    if let tie = run.lead?.tie { run.lead?.handOver(tie) }
    run.stand.settle()
    findings.expect(recorder.events == events, "something came after the completion: \(recorder.events)")
  }

  static func afterScheduledValues(_ operatorCase: OperatorCase, _ findings: inout Findings) {
    let run = operatorCase.flow(.unlimited)
    for value in Run.inputs { run.lead?.speak(value) }
    run.lead?.finish()
    run.finish()
    findings.expect(operatorCase.profile.allowsInHaste(run.recorder.values), "\(run.recorder.values) came")
    guard case .completion? = run.recorder.events.last else {
      return findings.expect(false, "the completion did not come last: \(run.recorder.events)")
    }
  }
}
