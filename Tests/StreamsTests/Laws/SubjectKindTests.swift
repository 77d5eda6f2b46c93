import Streams
import StreamsTesting
import Testing

@Suite("`PassthroughSubject`: upstream demand", .leavesNothing)
struct PassthroughSubjectLawTests {
  @Test("`PassthroughSubject` requests unlimited upstream demand once it has demand itself")
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

@Suite("`CurrentValueSubject`: current value", .leavesNothing)
struct CurrentValueSubjectLawTests {
  @Test("`CurrentValueSubject` sends its value at the first request, and the newest at later ones")
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

  @Test("`CurrentValueSubject` stores its new value before delivering it")
  func valueInside() {
    let subject = CurrentValueSubject<Int, TestFailure>(0)
    var seen: [Int] = []
    let recorder = subject.record { $0.onValue = { _, _ in seen.append(subject.value) } }

    subject.value = 5

    #expect(seen == [0, 5])
    withExtendedLifetime(recorder) {}
  }

  @Test("A completed `CurrentValueSubject` can still be set, but sends nothing")
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

  @Test("`CurrentValueSubject` requests unlimited demand from an upstream at once")
  func eagerFeeds() {
    let subject = CurrentValueSubject<Int, TestFailure>(0)
    let feed = SubscriptionRecorder()

    subject.send(subscription: feed)

    #expect(feed.demands == [.unlimited])
  }
}
