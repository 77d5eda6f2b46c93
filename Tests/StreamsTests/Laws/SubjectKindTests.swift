import Streams
import StreamsTesting
import Testing

@Suite("A passthrough subject", .leavesNothing)
struct PassthroughSubjectLawTests {
  @Test("asks its upstreams for everything, but not before somebody has asked it")
  func lazyFeeds() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let (early, late) = (SubscriptionRecorder(), SubscriptionRecorder())
    subject.send(subscription: early)
    let recorder = subject.record(demand: .none)
    let before = early.demands

    recorder.request(.max(1))
    subject.send(subscription: late)

    #expect(before.isEmpty)
    #expect(early.demands == [.unlimited])
    #expect(late.demands == [.unlimited])
  }
}

@Suite("A subject with a value", .leavesNothing)
struct CurrentValueSubjectLawTests {
  @Test("gives its value at the first request, and the newest after a pause")
  func conflates() {
    let subject = CurrentValueSubject<Int, TestFailure>(0)
    let recorder = subject.record(demand: .none)
    subject.send(1)

    recorder.request(.max(1))
    subject.send(2)
    subject.send(3)
    recorder.request(.max(2))
    subject.send(4)

    #expect(recorder.values == [1, 3, 4])
  }

  @Test("has its new value already while it is being delivered")
  func valueInside() {
    let subject = CurrentValueSubject<Int, TestFailure>(0)
    var seen: [Int] = []
    let recorder = subject.record { $0.onValue = { _, _ in seen.append(subject.value) } }

    subject.value = 5

    #expect(seen == [0, 5])
    withExtendedLifetime(recorder) {}
  }

  @Test("can be set after its end, but not sent to, and tells nobody")
  func afterTheEnd() {
    let subject = CurrentValueSubject<Int, TestFailure>(0)
    let recorder = subject.record()
    subject.send(completion: .finished)

    subject.send(1)
    let sent = subject.value
    subject.value = 2

    #expect(sent == 0)
    #expect(subject.value == 2)
    #expect(recorder.values == [0])
  }

  @Test("asks its upstreams for everything at once")
  func eagerFeeds() {
    let subject = CurrentValueSubject<Int, TestFailure>(0)
    let feed = SubscriptionRecorder()

    subject.send(subscription: feed)

    #expect(feed.demands == [.unlimited])
  }
}
