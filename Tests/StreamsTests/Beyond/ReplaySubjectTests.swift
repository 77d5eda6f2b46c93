import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("A replay subject", .leavesNothing)
struct ReplaySubjectTests {
  @Test("gives newcomers the last values, then what comes, then the end")
  func replays() {
    let subject = ReplaySubject<Int, Problem>(bufferSize: 2)
    let first = subject.record()
    for value in 1...3 { subject.send(value) }

    let late = subject.record()
    subject.send(4)
    subject.send(completion: .failure(Problem(code: 1)))
    let after = subject.record()
    subject.send(5)

    #expect(first.values == [1, 2, 3, 4])
    #expect(late.values == [2, 3, 4])
    #expect(after.events == [.subscription, .value(3), .value(4), .completion(.failure(Problem(code: 1)))])
  }

  @Test("keeps nothing that is sent after the end")
  func late() {
    let subject = ReplaySubject<Int, Never>()
    subject.send(1)
    subject.send(completion: .finished)
    subject.send(2)
    #expect(subject.record().events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test("gives values by demand, loses none, and ends when all are delivered")
  func demand() {
    let subject = ReplaySubject<Int, Never>()
    subject.send(1)
    let recorder = subject.record(demand: .max(1))
    subject.send(2)
    subject.send(3)
    subject.send(completion: .finished)
    let before = recorder.events

    recorder.request(.max(2))

    #expect(before == [.subscription, .value(1)])
    #expect(recorder.events.suffix(3) == [.value(2), .value(3), .completion(.finished)])
  }

  @Test("fails only after the values that it keeps, also for whoever requests them late")
  func failure() {
    let subject = ReplaySubject<Int, Problem>()
    subject.send(1)
    subject.send(2)
    subject.send(completion: .failure(Problem(code: 1)))
    let recorder = subject.record(demand: .none)
    let before = recorder.events

    recorder.request(.max(2))

    #expect(before == [.subscription])
    #expect(recorder.events.suffix(3) == [.value(1), .value(2), .completion(.failure(Problem(code: 1)))])
  }

  @Test("keeps the order for everybody, even when a value is sent from inside a delivery")
  func order() {
    let subject = ReplaySubject<Int, Never>(bufferSize: 5)
    let first = subject.record { $0.onValue = { _, value in if value == 1 { subject.send(2) } } }
    let second = subject.record()

    subject.send(1)
    let third = subject.record()

    #expect(first.values == [1, 2])
    #expect(second.values == [1, 2])
    #expect(third.values == [1, 2])
  }

  @Test("gives who joins inside a delivery each value once")
  func joining() {
    let subject = ReplaySubject<Int, Never>(bufferSize: 5)
    let late = Recorder<Int, Never>()
    let host = subject.record { $0.onValue = { _, value in if value == 1 { subject.subscribe(late) } } }

    subject.send(1)
    subject.send(2)

    #expect(late.values == [1, 2])
    withExtendedLifetime(host) {}
  }

  @Test("forgets what is too old")
  func age() {
    let scheduler = VirtualScheduler.virtual
    let subject = ReplaySubject<Int, Never>(maxAge: .seconds(5), scheduler: scheduler)

    subject.send(1)
    scheduler.advance(by: .seconds(4))
    subject.send(2)
    scheduler.advance(by: .seconds(2))

    #expect(subject.record().values == [2])
  }

  @Test("replays nothing with a buffer of none, and asks its upstreams for everything")
  func nothing() {
    let subject = ReplaySubject<Int, Never>(bufferSize: 0)
    let feed = SubscriptionRecorder()
    subject.send(subscription: feed)
    subject.send(1)

    #expect(subject.record().values.isEmpty)
    #expect(feed.demands == [.unlimited])
  }

  @Test("takes values from several threads, and shows them to all in one order")
  func threads() async {
    let subject = ReplaySubject<Int, Never>()
    let (first, second) = (subject.record(), subject.record())

    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask { for value in 0..<250 { subject.send(thread * 1000 + value) } }
      }
    }
    // After a burst, another thread delivers what is left (law X14).
    _ = await (first.received(1000), second.received(1000))

    #expect(first.values.count == 1000)
    #expect(first.values == second.values)
    #expect(first.values == subject.record().values)
  }
}
