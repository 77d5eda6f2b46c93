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

  @Test("`subscribe(_:)` cancels a second subscription, and keeps the first")
  func second() throws {
    let subject = CurrentValueSubject<Int, Never>(0)
    let script = Script(Int.self, failure: Never.self)
    let second = SubscriptionRecorder(name: "second")

    let feed = script.subscribe(subject)
    try #require(script.session).handOver(second)
    script.say(1)

    #expect(second.asks == [.cancel])
    #expect(script.asks == [.request(.unlimited)])
    #expect(subject.value == 1)
    feed.cancel()
    #expect(script.cancellations == 1)
  }

  @Test("`subscribe(_:)` leaves nothing in the subject if its publisher ends within the first request")
  func endsAtOnce() {
    let subject = CurrentValueSubject<Int, Never>(0)

    let leaked = Lifetimes.leaks { lifetimes in
      let script = Script(Int.self, failure: Never.self)
      script.onRequest = { session, _ in
        lifetimes.track(session.subscription, as: "the subscription")
        session.end()
      }
      let feed = script.subscribe(subject)
      withExtendedLifetime(feed) {}
    }

    #expect(leaked.isEmpty)
    #expect(subject.record().completions == [.finished])
  }

  @Test("The subscriber and the subscription of `subscribe(_:)` have Combine's name, and show its parts")
  func mirror() {
    let seeing = SeeingSubject()
    let publisher = SeeingPublisher()

    let feed = publisher.subscribe(seeing)

    #expect(publisher.name == "Subject")
    #expect(publisher.labels == ["parent", "upstreamSubscription"])
    #expect(seeing.names == ["Subject"])
    feed.cancel()
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

/// Notes the subscriptions that it is sent.
private final class SeeingSubject: Subject {
  typealias Output = Int
  typealias Failure = Never

  private(set) var names: [String] = []

  func receive<Downstream: Subscriber<Int, Never>>(subscriber: Downstream) {}
  func send(_ value: Int) {}
  func send(completion: Subscribers.Completion<Never>) {}
  func send(subscription: any Subscription) { names.append("\(subscription)") }
}

/// Notes its subscriber.
private final class SeeingPublisher: Publisher {
  typealias Output = Int
  typealias Failure = Never

  private(set) var name = ""
  private(set) var labels: [String?] = []

  func receive<Downstream: Subscriber<Int, Never>>(subscriber: Downstream) {
    (name, labels) = ("\(subscriber)", Mirror(reflecting: subscriber).children.map(\.label))
    subscriber.receive(subscription: Subscriptions.empty)
  }
}
