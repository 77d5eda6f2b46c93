import Streams
import StreamsTesting
import Testing

@Suite("`subscribe(_:)` with a subject", .leavesNothing)
struct SubjectSubscriberTests {
  @Test("`subscribe(_:)` forwards values and the completion to the subject")
  func passes() {
    let subject = CurrentValueSubject<Int, Problem>(0)
    let recorder = subject.record()
    let script = Script(Int.self, failure: Problem.self)

    let feed = script.subscribe(subject)
    let answer = script.say(1)
    script.end(.failure(Problem(code: 2)))
    script.say(3)

    #expect(answer == Subscribers.Demand.none)
    #expect(
      recorder.events == [.subscription, .value(0), .value(1), .completion(.failure(Problem(code: 2)))])
    feed.cancel()
    #expect(script.cancellations == 0)
  }

  @Test("`subscribe(_:)` ignores values that precede the subscription")
  func early() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let script = Script(Int.self, failure: Never.self)
    script.handsOverAtOnce = false

    let feed = script.subscribe(subject)
    script.say(1)

    #expect(subject.value == 0)
    feed.cancel()
  }

  @Test("`subscribe(_:)` cancels a subscription that arrives after cancellation")
  func late() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let script = Script(Int.self, failure: Never.self)
    script.handsOverAtOnce = false
    let feed = script.subscribe(subject)

    feed.cancel()
    if let session = script.session { session.handOver(session.subscription) }

    #expect(script.asks == [.cancel])
  }

  @Test(
    "`subscribe(_:)` releases its subscription from the subject at cancellation or completion",
    arguments: [true, false])
  func letsGo(_ isCancelled: Bool) {
    let passthrough = PassthroughSubject<Int, Never>()
    let current = CurrentValueSubject<Int, Never>(0)

    let leaked = Lifetimes.leaks { lifetimes in
      let script = Script(Int.self, failure: Never.self)
      let feeds = [script.subscribe(passthrough), script.subscribe(current)]
      for session in script.sessions { lifetimes.track(session.subscription, as: "a subscription") }
      for feed in feeds where isCancelled { feed.cancel() }
      for session in script.sessions where !isCancelled { session.end() }
      withExtendedLifetime(feeds) {}
    }

    #expect(leaked.isEmpty)
    withExtendedLifetime((passthrough, current)) {}
  }

  @Test("`subscribe(_:)` leaks nothing when it is cancelled")
  func releases() {
    let leaked = Lifetimes.leaks { lifetimes in
      let source = lifetimes.track(PassthroughSubject<Int, Never>(), as: "source")
      let target = lifetimes.track(PassthroughSubject<Int, Never>(), as: "target")
      let feed = lifetimes.track(source.subscribe(target), as: "feed")
      let recorder = lifetimes.track(target.record(), as: "recorder")
      source.send(1)
      #expect(recorder.values == [1])
      feed.cancel()
    }

    #expect(leaked.isEmpty)
  }
}
