internal import Streams

/// Checks of how a stream begins.
enum Subscribing {
  static func once(_ candidate: Candidate, _ findings: inout Findings) {
    for demand in [Subscribers.Demand.none, .max(1), .unlimited] {
      let run = candidate.run(demand)
      run.drive()
      let count = run.recorder.subscriptions.count
      findings.expect(count == 1, "\(count) subscriptions with demand \(demand)")
      guard let first = run.recorder.events.first else { continue }
      if case .subscription = first { continue }
      findings.expect(false, "\(first) before the subscription")
    }
  }

  static func atOnce(_ candidate: Candidate, _ findings: inout Findings) {
    let run = candidate.run(.none)
    findings.expect(run.recorder.subscriptions.count == 1, "no subscription when subscribe returned")
  }

  static func independently(_ candidate: Candidate, _ findings: inout Findings) {
    let stand = LawStand(candidate)
    let count = candidate.profile.prelude + 1
    let first = Run(stand, demand: .max(count)).start()
    stand.settle()
    first.begin()
    let second = Run(stand, demand: .unlimited).start()
    stand.settle()
    let before = second.recorder.events

    first.drive()
    findings.expect(second.recorder.events == before, "the second subscriber got the first one's values")

    first.cancel()
    second.drive()
    findings.expect(
      candidate.profile.allows(second.recorder.values),
      "the second subscriber got \(second.recorder.values)", due: candidate.profile.sends)
    findings.expect(
      candidate.profile.allows(first.recorder.values, asked: count),
      "the first subscriber got \(first.recorder.values)", due: "a prefix of \(candidate.profile.sends)")
  }

  static func underOneName(_ candidate: Candidate, _ findings: inout Findings) {
    let run = candidate.run(.unlimited)
    run.stand.settle()
    guard let subscription = run.recorder.subscriptions.first else {
      return findings.expect(false, "no subscription")
    }
    let (identifier, name) = (subscription.combineIdentifier, "\(subscription)")
    if let expected = candidate.profile.subscriptionName {
      findings.expect(name == expected, "it calls itself \(name) instead of \(expected)")
    }
    run.drive()
    findings.expect(subscription.combineIdentifier == identifier, "its identifier has changed")
    findings.expect("\(subscription)" == name, "its name has changed to \(subscription)")

    // Nothing is kept for a subscription that gives nothing: all of them are one.
    let other = Run(run.stand, demand: .none).start()
    other.stand.settle()
    guard let second = other.recorder.subscriptions.first, "\(second)" != "Empty" else { return }
    findings.expect(second.combineIdentifier != identifier, "two subscriptions have one identifier")
  }

  static func againstIntruders(_ candidate: Candidate, _ findings: inout Findings) {
    let run = candidate.flow(.unlimited)
    let intruder = SubscriptionRecorder(name: "intruder")

    run.lead?.handOver(intruder)
    run.stand.settle()
    findings.expect(intruder.cancellations == 1, "the intruder was cancelled \(intruder.cancellations) times")
    findings.expect(
      intruder.demands.isEmpty, "the second subscription received requests: \(intruder.demands)")
    findings.expect(run.recorder.subscriptions.count == 1, "the intruder was handed down")
    findings.expect(run.lead?.tie?.cancellations == 0, "the rightful subscription was cancelled")

    run.sayPassing()
    if candidate.profile.answersAtEnd {
      run.finish()
      findings.expect(run.recorder.completions.count == 1, "the rightful upstream cannot end any more")
    }
    let due = min(candidate.profile.valuesPerInput, candidate.profile.sends.count)
    findings.expect(run.delivered.count == due, "the rightful upstream does not get through any more")
  }
}
