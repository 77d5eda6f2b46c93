import Streams
import StreamsTesting
import Testing

@Suite("`PassthroughSubject`", .leavesNothing)
struct PassthroughSubjectTests {
  private typealias IntSubject = PassthroughSubject<Int, Problem>

  @Test("`PassthroughSubject` requests unlimited upstream demand at its first downstream request")
  func asksUpstream() {
    let subject = PassthroughSubject<Int, Never>()
    let (early, late) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Never.self))

    let first = early.subscribe(subject)
    let recorder = subject.record(demand: .none)
    let before = early.asks
    recorder.request(.max(3))
    recorder.request(.max(3))
    let second = late.subscribe(subject)
    early.say(1)
    late.say(2)

    #expect(before.isEmpty)
    #expect(early.asks == [.request(.unlimited)])
    #expect(late.asks == [.request(.unlimited)])
    #expect(recorder.values == [1, 2])
    first.cancel()
    second.cancel()
  }

  @Test("`PassthroughSubject` continues without an upstream whose subscription is cancelled")
  func stopsFeeding() {
    let subject = PassthroughSubject<Int, Never>()
    let script = Script(Int.self, failure: Never.self)
    let recorder = subject.record()
    let feed = script.subscribe(subject)

    script.say(1)
    feed.cancel()
    script.say(2)
    script.end()
    subject.send(3)

    #expect(recorder.events == [.subscription, .value(1), .value(3)])
    #expect(script.cancellations == 1)
  }

  @Test("`PassthroughSubject` cancels its upstreams and releases its subscribers when deallocated")
  func goes() {
    let upstream = SubscriptionRecorder()
    let leaked = Lifetimes.leaks { lifetimes in
      let subject = lifetimes.track(PassthroughSubject<Int, Never>(), as: "subject")
      subject.send(subscription: upstream)
      let recorder = lifetimes.track(subject.record(), as: "recorder")
      subject.send(1)
      #expect(recorder.completions.isEmpty)
    }

    #expect(leaked.isEmpty)
    #expect(upstream.asks == [.request(.unlimited), .cancel])
  }

  @Test("`PassthroughSubject` requests, cancels and releases each of its upstreams")
  func feedsOfMany() {
    let journal = Journal()
    var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
    let recorder = Recorder<Int, Never>(demand: .none)
    let leaked = Lifetimes.leaks { lifetimes in
      for name in ["a", "b"] {
        let upstream = SubscriptionRecorder(name: name, journal: journal)
        subject?.send(subscription: lifetimes.track(upstream, as: name))
      }
      subject?.subscribe(recorder)
      recorder.request(.max(1))
      subject = nil
    }

    #expect(leaked.isEmpty)
    #expect(journal.lines == ["a: request unlimited", "b: request unlimited", "a: cancel", "b: cancel"])
    withExtendedLifetime(recorder) {}
  }

  @Test("`PassthroughSubject` can be released inside its own delivery")
  func goesInside() {
    var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    first.onValue = { _, _ in subject = nil }
    subject?.subscribe(first)
    subject?.subscribe(second)

    subject?.send(1)

    #expect(subject == nil)
    #expect(first.values == [1])
    #expect(second.completions.isEmpty)
  }

  @Test("`PassthroughSubject` of `Void` sends without an argument")
  func signals() {
    let subject = PassthroughSubject<Void, Never>()
    let recorder = subject.record()

    subject.send()
    subject.send()

    #expect(recorder.values.count == 2)
  }

  @Test("`PassthroughSubject` has Combine's name, and traps on zero demand")
  func names() async {
    let subject = IntSubject()

    #expect("\(subject.record().subscriptions[0])" == "PassthroughSubject")
    await #expect(processExitsWith: .failure) {
      let subject = PassthroughSubject<Int, Never>()
      subject.record(demand: .none).request(.none)
    }
  }
}
