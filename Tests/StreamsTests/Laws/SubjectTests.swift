import Streams
import StreamsTesting
import Testing

@Suite("Laws of subjects", .leavesNothing, .atMostTenIssues)
struct SubjectTests {
  typealias Make = @Sendable () -> any Subject<Int, TestFailure>

  static let makes: [Make] = [
    { PassthroughSubject<Int, TestFailure>() }, { CurrentValueSubject<Int, TestFailure>(0) },
  ]

  @Test("A subject serves its subscribers in the order of subscription", arguments: makes)
  func order(_ make: Make) {
    let subject = make()
    let journal = Journal()
    let recorders = (1...5).map { number in
      subject.recorded { recorder in
        recorder.name = "subscriber \(number)"
        recorder.journal = journal
      }
    }

    subject.send(7)

    let served = journal.lines.filter { $0.hasSuffix("value 7") }
    #expect(served == (1...5).map { "subscriber \($0): value 7" })
    withExtendedLifetime(recorders) {}
  }

  @Test("A passthrough subject delivers a nested value before it continues with the outer one")
  func depthFirst() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let first = subject.record { $0.onValue = { _, value in if value == 1 { subject.send(2) } } }
    let second = subject.record()

    subject.send(1)

    #expect(first.values == [1, 2])
    #expect(second.values == [2, 1])
  }

  @Test("A current value subject never delivers an older value last, even for nested sends")
  func newestLast() {
    let subject = CurrentValueSubject<Int, TestFailure>(0)
    let first = subject.record { $0.onValue = { _, value in if value == 1 { subject.send(2) } } }
    let second = subject.record()

    subject.send(1)

    #expect(first.values == [0, 1, 2])
    #expect(second.values.last == subject.value)
  }

  @Test("A subject sends nothing more to a subscriber that is cancelled during a delivery", arguments: makes)
  func leaving(_ make: Make) {
    let subject = make()
    let leaver = Recorder<Int, TestFailure>()
    let meddler = subject.recorded { $0.onValue = { _, value in if value == 7 { leaver.cancel() } } }
    subject.subscribe(leaver)

    subject.send(6)
    subject.send(7)
    subject.send(8)

    #expect(meddler.values.suffix(3) == [6, 7, 8])
    #expect(leaver.values.last == 6)
  }

  @Test("A subscriber that joins during a delivery receives the next value and any current one")
  func joining() {
    let (passing, lasting) = (
      PassthroughSubject<Int, TestFailure>(), CurrentValueSubject<Int, TestFailure>(0)
    )
    let (toPassing, toLasting) = (Recorder<Int, TestFailure>(), Recorder<Int, TestFailure>())
    let hosts = [
      passing.record { $0.onValue = { _, value in if value == 7 { passing.subscribe(toPassing) } } },
      lasting.record { $0.onValue = { _, value in if value == 7 { lasting.subscribe(toLasting) } } },
    ]

    for value in 7...8 {
      passing.send(value)
      lasting.send(value)
    }

    #expect(toPassing.values == [8])
    #expect(toLasting.values == [7, 8])
    withExtendedLifetime(hosts) {}
  }

  @Test("A subject counts the demand of each subscriber separately", arguments: makes)
  func ownDemand(_ make: Make) {
    let subject = make()
    let modest = subject.recorded(demand: .max(1)) { _ in }
    let greedy = subject.recorded { _ in }
    let before = modest.values

    for value in 1...3 { subject.send(value) }

    #expect(modest.values.count == 1)
    #expect(greedy.values.suffix(3) == [1, 2, 3])
    #expect(before.isEmpty || modest.values == before)
  }

  @Test("A late subscriber of a subject receives an empty subscription and the completion", arguments: makes)
  func late(_ make: Make) {
    let subject = make()
    subject.send(completion: .failure(.scripted))

    let late = subject.recorded(demand: .none) { _ in }

    #expect(late.events == [.subscription, .completion(.failure(.scripted))])
    #expect(late.subscriptions.map { "\($0)" } == ["Empty"])
  }

  @Test("A subject ignores values and completions after its completion", arguments: makes)
  func afterTheEnd(_ make: Make) {
    let subject = make()
    let recorder = subject.recorded { _ in }
    subject.send(completion: .finished)
    let events = recorder.events

    subject.send(1)
    subject.send(completion: .failure(.scripted))

    #expect(recorder.events == events)
  }

  @Test("A subject cancels its upstreams when it is deallocated", arguments: makes)
  func feeds(_ make: Make) {
    let feed = SubscriptionRecorder()
    var subject: (any Subject<Int, TestFailure>)? = make()

    subject?.send(subscription: feed)
    subject = nil

    #expect(feed.cancellations == 1)
  }
}

extension Subject where Output == Int, Failure == TestFailure {
  fileprivate func recorded(
    demand: Subscribers.Demand = .unlimited, _ prepare: (Recorder<Int, TestFailure>) -> Void
  ) -> Recorder<Int, TestFailure> {
    record(demand: demand, prepare)
  }
}
