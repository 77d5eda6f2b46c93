package import Streams

/// The environment of an operator during a check: its upstreams, virtual time, and a shared journal.
public final class LawStand {
  package let candidate: Candidate
  package let journal = Journal()
  /// The virtual time.
  public let scheduler = VirtualScheduler.virtual
  package private(set) var upstreams: [any Upstream] = []
  private let isWithholding: Bool
  private let isForgetful: Bool
  private var attach: Candidate.Attach?

  /// - Parameters:
  ///   - withholding: True if the leading upstream does not send its subscription.
  ///   - isForgetful: True if upstreams keep nothing of sessions that are over, so that the memory of the operator can be
  ///     measured.
  package init(_ candidate: Candidate, withholding: Bool = false, isForgetful: Bool = false) {
    (self.candidate, self.isForgetful, isWithholding) = (candidate, isForgetful, withholding)
    attach = candidate.build(self)
  }

  /// Creates the next upstream, which sends numbers from 1.
  public func upstream<Failure: Error>(
    failing _: Failure.Type = TestFailure.self
  ) -> Script<Int, Failure> { upstream { $0 } }

  /// Creates the next upstream, which sends `inputs`, repeatedly if necessary.
  public func upstream<Input, Failure: Error>(
    saying inputs: [Input], failing _: Failure.Type = TestFailure.self
  ) -> Script<Input, Failure> {
    upstream { number in inputs[(number - 1) % inputs.count] }
  }

  /// - Parameter value: The value for a number.
  func upstream<Input, Failure: Error>(value: @escaping (Int) -> Input) -> Script<Input, Failure> {
    let number = upstreams.count
    let script = Script(
      Input.self, failure: Failure.self, name: "upstream \(number)", journal: isForgetful ? nil : journal)
    script.isForgetful = isForgetful
    script.keepsSubscribers = !isForgetful
    script.handsOverAtOnce = !(isWithholding && number == candidate.profile.lead)
    upstreams.append(ScriptUpstream(script, value))
    return script
  }

  /// Makes `subject` the upstream.
  package func adopt<S: Subject<Int, TestFailure>>(_ subject: S) -> S {
    upstreams.append(SubjectUpstream(subject))
    return subject
  }

  package func subscribe(_ recorder: Recorder<Sample, TestFailure>) { attach?(recorder) }

  /// Lets time pass: enough for all scheduled actions, but too little for a timeout. Tasks run.
  package func settle() {
    let executor = ManualTaskExecutor.current
    executor?.run()
    scheduler.advance(by: .seconds(10))
    executor?.run()
  }
}
