import Streams
import StreamsTesting
import Testing

@Suite("subscribe(subject)")
struct SubjectSubscriberTests {
  @Test("passes values and the end on to the subject")
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

  @Test("ignores what comes before a subscription")
  func early() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let script = Script(Int.self, failure: Never.self)
    script.handsOverAtOnce = false

    let feed = script.subscribe(subject)
    script.say(1)

    #expect(subject.value == 0)
    feed.cancel()
  }

  @Test("cancels a subscription that comes when the feed was cancelled")
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
    "makes the subject let go of the subscription when the feed is cancelled, or upstream ends",
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

  @Test("leaves nothing behind when it is cancelled")
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
