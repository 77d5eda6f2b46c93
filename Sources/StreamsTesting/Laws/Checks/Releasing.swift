internal import Streams

/// Checks of lifetimes.
///
/// Each makes a run, retains only some of its parts, and checks which ones are still alive.
enum Releasing {
  static func downstreamAfterCompletion(_ candidate: Candidate, _ findings: inout Findings) {
    expectNothing(of: .downstream, in: &findings) { lifetimes in
      let run = candidate.run(.unlimited)
      lifetimes.track(run.recorder, as: "the subscriber")
      run.drive()
      return [run.recorder.subscriptions, run.stand]
    }
  }

  static func downstreamAfterCancellation(_ candidate: Candidate, _ findings: inout Findings) {
    expectNothing(of: .downstream, in: &findings) { lifetimes in
      let run = cancelled(candidate, lifetimes)
      return [run.recorder.subscriptions]
    }
  }

  static func downstreamHeldByUpstream(_ candidate: Candidate, _ findings: inout Findings) {
    expectNothing(of: .downstream, in: &findings) { lifetimes in
      let run = cancelled(candidate, lifetimes)
      return [run.recorder.subscriptions, run.stand]
    }
  }

  static func upstreamAfterCancellation(_ candidate: Candidate, _ findings: inout Findings) {
    expectNothing(of: .upstream, in: &findings) { lifetimes in
      let run = cancelled(candidate, lifetimes)
      return [run.recorder.subscriptions]
    }
  }

  static func upstreamAfterCompletion(_ candidate: Candidate, _ findings: inout Findings) {
    expectNothing(of: .upstream, in: &findings) { lifetimes in
      let run = candidate.run(.unlimited)
      run.drive()
      track(run, in: lifetimes)
      return [run.recorder.subscriptions]
    }
  }

  static func everythingDropped(_ candidate: Candidate, _ findings: inout Findings) {
    weak var tie: AnyObject?
    expectNothing(of: .everything, in: &findings) { lifetimes in
      let run = candidate.flow(candidate.profile.kind == .source ? .none : .max(1))
      track(run, in: lifetimes)
      run.sayPassing()
      tie = run.recorder.subscriptions.first as AnyObject
      run.recorder.forget()
      return []
    }
    (tie as? any Subscription)?.cancel()  // nobody else can, if the law is broken
  }

  private static func cancelled(_ candidate: Candidate, _ lifetimes: Lifetimes) -> Run {
    let run = candidate.flow(candidate.profile.kind == .source ? .none : .max(1))
    track(run, in: lifetimes)
    run.cancel()
    return run
  }

  private static func track(_ run: Run, in lifetimes: Lifetimes) {
    lifetimes.track(run.recorder, as: "the subscriber")
    for upstream in run.stand.upstreams { lifetimes.track(upstream.object, as: "an upstream") }
    for tie in run.ties { lifetimes.track(tie, as: "an upstream's subscription") }
  }

  private enum Part {
    case downstream, upstream, everything

    func includes(_ name: String) -> Bool {
      switch self {
      case .downstream: name == "the subscriber"
      case .upstream: name == "an upstream's subscription"
      case .everything: true
      }
    }
  }

  /// - Parameter make: Creates and tracks the objects that must be released, and returns those that stay.
  private static func expectNothing(
    of part: Part, in findings: inout Findings, _ make: (Lifetimes) -> [Any]
  ) {
    let lifetimes = Lifetimes()
    let kept = make(lifetimes)
    let survivors = lifetimes.living.filter(part.includes)
    withExtendedLifetime(kept) {}
    findings.expect(survivors.isEmpty, "still alive: \(survivors.joined(separator: ", "))")
  }
}
