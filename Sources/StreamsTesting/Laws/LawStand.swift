package import Streams

/// What an operator stands on while laws are held against it: its upstreams, virtual time, and one journal for all.
public final class LawStand {
  package let candidate: Candidate
  package let journal = Journal()
  /// The virtual time of the stand.
  public let scheduler = VirtualScheduler.virtual
  package private(set) var upstreams: [any Upstream] = []
  private let isWithholding: Bool
  private var attach: Candidate.Attach?

  /// - Parameter withholding: True if the leading upstream is not to hand over its subscription.
  package init(_ candidate: Candidate, withholding: Bool = false) {
    self.candidate = candidate
    isWithholding = withholding
    attach = candidate.build(self)
  }

  /// Makes the next upstream: it says numbers, from 1.
  public func upstream<Failure: Error>(
    failing _: Failure.Type = TestFailure.self
  ) -> Script<Int, Failure> { upstream { $0 } }

  /// Makes the next upstream: it says `inputs`, again and again if need be.
  public func upstream<Input, Failure: Error>(
    saying inputs: [Input], failing _: Failure.Type = TestFailure.self
  ) -> Script<Input, Failure> {
    upstream { number in inputs[(number - 1) % inputs.count] }
  }

  /// - Parameter value: What it says for a number.
  func upstream<Input, Failure: Error>(value: @escaping (Int) -> Input) -> Script<Input, Failure> {
    let number = upstreams.count
    let script = Script(Input.self, failure: Failure.self, name: "upstream \(number)", journal: journal)
    script.handsOverAtOnce = !(isWithholding && number == candidate.profile.lead)
    upstreams.append(ScriptUpstream(script, value))
    return script
  }

  /// Makes `subject` the upstream.
  package func adopt<S: Subject<Int, TestFailure>>(_ subject: S) -> S {
    upstreams.append(SubjectUpstream(subject))
    return subject
  }

  func subscribe(_ recorder: Recorder<Sample, TestFailure>) { attach?(recorder) }

  /// Lets time pass: enough for all that is scheduled, but too little for a timeout. Tasks do what they have to.
  package func settle() {
    let errands = Errands.current
    errands?.run()
    scheduler.advance(by: .seconds(10))
    errands?.run()
  }
}
