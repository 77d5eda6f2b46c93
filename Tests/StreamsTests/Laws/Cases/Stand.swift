import Streams
import StreamsTesting

/// What a case stands on while it is tested: its upstreams, virtual time, and one journal for all.
final class Stand {
  let operatorCase: OperatorCase
  let journal = Journal()
  let scheduler = VirtualScheduler.virtual
  private(set) var upstreams: [any Upstream] = []
  private var isWithholding: Bool
  private var attach: OperatorCase.Attach?

  /// - Parameter withholding: True if the leading upstream is not to hand over its subscription.
  init(_ operatorCase: OperatorCase, withholding: Bool = false) {
    self.operatorCase = operatorCase
    isWithholding = withholding
    attach = operatorCase.build(self)
  }

  /// Makes the next upstream.
  func upstream<Failure: Error>(failing _: Failure.Type = TestFailure.self) -> Script<Int, Failure> {
    let number = upstreams.count
    let script = Script(Int.self, failure: Failure.self, name: "upstream \(number)", journal: journal)
    script.handsOverAtOnce = !(isWithholding && number == operatorCase.profile.lead)
    upstreams.append(script)
    return script
  }

  /// Makes `subject` the upstream.
  func adopt<S: Subject<Int, TestFailure>>(_ subject: S) -> S {
    upstreams.append(SubjectUpstream(subject))
    return subject
  }

  func subscribe(_ recorder: Recorder<Int, TestFailure>) { attach?(recorder) }

  /// Lets time pass: enough for all that is scheduled, but too little for a timeout.
  func settle() { scheduler.advance(by: .seconds(10)) }
}

/// Where values come from, as a law sees it.
protocol Upstream: AnyObject {
  /// One for each subscriber.
  var lines: [any Line] { get }

  /// Makes it say `values` from within requests, as far as it is asked, and then finish.
  func speaksWhenAsked(_ values: [Int])
}

/// One subscriber of an upstream.
protocol Line: AnyObject {
  /// What it handed over; `nil` if it has none of its own.
  var tie: SubscriptionRecorder? { get }
  var outstanding: Subscribers.Demand { get }
  var isOver: Bool { get }
  var canFail: Bool { get }

  func speak(_ value: Int)
  func finish()
  func fail()
  func handOver(_ subscription: any Subscription)
}

extension Script: Upstream where Output == Int {
  var lines: [any Line] { sessions }

  func speaksWhenAsked(_ values: [Int]) {
    var left = values[...]
    var isSpeaking = false
    onRequest = { session, _ in
      if isSpeaking { return }
      isSpeaking = true
      defer { isSpeaking = false }
      while !session.isOver, session.outstanding > .none, let value = left.popFirst() { session.say(value) }
      if left.isEmpty, !session.isOver { session.end() }
    }
  }
}

extension Script.Session: Line where Output == Int {
  var tie: SubscriptionRecorder? { subscription }
  var canFail: Bool { Failure.self != Never.self }

  func speak(_ value: Int) { say(value) }
  func finish() { end(.finished) }
  func fail() {
    if let failure = TestFailure.scripted as? Failure { end(.failure(failure)) }
  }
}

final class SubjectUpstream<S: Subject<Int, TestFailure>>: Upstream, Line {
  private let subject: S
  private(set) var isOver = false

  init(_ subject: S) { self.subject = subject }

  var lines: [any Line] { [self] }
  var tie: SubscriptionRecorder? { nil }
  var outstanding: Subscribers.Demand { .unlimited }
  var canFail: Bool { true }

  func speaksWhenAsked(_: [Int]) {}
  func speak(_ value: Int) { subject.send(value) }
  func finish() { end(.finished) }
  func fail() { end(.failure(.scripted)) }
  func handOver(_ subscription: any Subscription) { subject.send(subscription: subscription) }

  private func end(_ completion: Subscribers.Completion<TestFailure>) {
    isOver = true
    subject.send(completion: completion)
  }
}
