package import Streams

/// An upstream as a law sees it. Its values are numbers, whatever type an operator receives.
package protocol Upstream: AnyObject {
  /// Its public part.
  var object: AnyObject { get }

  /// One for each subscriber.
  var lines: [any Line] { get }

  /// Makes it send `values` from within requests, by demand, and then finish.
  func speaksWhenAsked(_ values: [Int])

  /// Calls `body` inside each cancellation, if it can. To be called before the first subscription.
  func whenCancelled(_ body: @escaping () -> Void)
}

/// One subscriber of an upstream.
package protocol Line: AnyObject {
  /// Its subscription; `nil` if it has none of its own.
  var tie: SubscriptionRecorder? { get }
  var outstanding: Subscribers.Demand { get }
  var isOver: Bool { get }
  var canFail: Bool { get }

  func speak(_ value: Int)
  func finish()
  func fail()
  func handOver(_ subscription: any Subscription)
}

final class ScriptUpstream<Output, Failure: Error>: Upstream {
  private let script: Script<Output, Failure>
  private let value: (Int) -> Output

  init(_ script: Script<Output, Failure>, _ value: @escaping (Int) -> Output) {
    (self.script, self.value) = (script, value)
  }

  var object: AnyObject { script }
  var lines: [any Line] { script.sessions.map { SessionLine($0, value) } }

  func speaksWhenAsked(_ values: [Int]) {
    var left = values[...]
    var isSpeaking = false
    script.onRequest = { [value] session, _ in
      if isSpeaking { return }
      isSpeaking = true
      defer { isSpeaking = false }
      while !session.isOver, session.outstanding > .none, let next = left.popFirst() {
        session.say(value(next))
      }
      if left.isEmpty, !session.isOver { session.end() }
    }
  }

  func whenCancelled(_ body: @escaping () -> Void) { script.onCancel = { _ in body() } }
}

private final class SessionLine<Output, Failure: Error>: Line {
  private let session: Script<Output, Failure>.Session
  private let value: (Int) -> Output

  init(_ session: Script<Output, Failure>.Session, _ value: @escaping (Int) -> Output) {
    (self.session, self.value) = (session, value)
  }

  var tie: SubscriptionRecorder? { session.subscription }
  var outstanding: Subscribers.Demand { session.outstanding }
  var isOver: Bool { session.isOver }
  var canFail: Bool { Failure.self != Never.self }

  func speak(_ number: Int) { session.say(value(number)) }
  func finish() { session.end() }
  func fail() {
    if let failure = TestFailure.scripted as? Failure { session.end(.failure(failure)) }
  }
  func handOver(_ subscription: any Subscription) { session.handOver(subscription) }
}

final class SubjectUpstream<S: Subject<Int, TestFailure>>: Upstream, Line {
  private let subject: S
  private(set) var isOver = false

  init(_ subject: S) { self.subject = subject }

  var object: AnyObject { subject }
  var lines: [any Line] { [self] }
  var tie: SubscriptionRecorder? { nil }
  var outstanding: Subscribers.Demand { .unlimited }
  var canFail: Bool { true }

  func speaksWhenAsked(_: [Int]) {}
  func whenCancelled(_: @escaping () -> Void) {}
  func speak(_ value: Int) { subject.send(value) }
  func finish() { end(.finished) }
  func fail() { end(.failure(.scripted)) }
  func handOver(_ subscription: any Subscription) { subject.send(subscription: subscription) }

  private func end(_ completion: Subscribers.Completion<TestFailure>) {
    isOver = true
    subject.send(completion: completion)
  }
}
