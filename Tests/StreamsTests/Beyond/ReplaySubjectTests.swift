import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`ReplaySubject`", .leavesNothing)
struct ReplaySubjectTests {
  @Test("`ReplaySubject` sends new subscribers the last values, then new values, then the completion")
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

  @Test("`ReplaySubject` fails only after its buffered values, even if they are requested late")
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

  @Test("`ReplaySubject` keeps one order for all subscribers, even for values sent inside a delivery")
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

  @Test("`ReplaySubject` sends each value once to a subscriber that joins inside a delivery")
  func joining() {
    let subject = ReplaySubject<Int, Never>(bufferSize: 5)
    let late = Recorder<Int, Never>()
    let host = subject.record { $0.onValue = { _, value in if value == 1 { subject.subscribe(late) } } }

    subject.send(1)
    subject.send(2)

    #expect(late.values == [1, 2])
    withExtendedLifetime(host) {}
  }

  @Test("`ReplaySubject` releases a value that is too old with the next value")
  func releasesOldValues() {
    let scheduler = VirtualScheduler.virtual
    let subject = ReplaySubject<OnRelease, Never>(maxAge: .seconds(5), scheduler: scheduler)
    var released = 0
    subject.send(OnRelease { released += 1 })
    scheduler.advance(by: .seconds(5))
    subject.send(OnRelease())
    let before = released

    scheduler.advance(by: .seconds(1))
    subject.send(OnRelease())

    #expect([before, released] == [0, 1])
    withExtendedLifetime(subject) {}
  }

  @Test("`ReplaySubject` releases the subscription of a subscriber that cancels on arrival (laws C14, C19)")
  func cancelledOnArrival() {
    let subject = ReplaySubject<Int, Never>(bufferSize: 1)
    let subscriber = CancelsOnArrival()

    subject.subscribe(subscriber)

    #expect(subscriber.subscription == nil)
    withExtendedLifetime(subject) {}
  }

  @Test("`ReplaySubject` sends the values of several threads to all subscribers in one order")
  func threads() {
    let subject = ReplaySubject<Int, Never>()
    let (first, second) = (subject.record(), subject.record())
    let send: @Sendable (Int) -> Void = { thread in
      for value in 0..<250 { subject.send(thread * 1000 + value) }
    }

    race({ send(0) }, { send(1) }, { send(2) }, { send(3) })

    #expect(first.values.count == 1000)
    #expect(first.values == second.values)
    #expect(first.values == subject.record().values)
  }
}

private final class CancelsOnArrival: Subscriber {
  weak var subscription: AnyObject?

  func receive(subscription: any Subscription) {
    self.subscription = subscription as AnyObject
    subscription.cancel()
  }

  func receive(_: Int) -> Subscribers.Demand { .none }
  func receive(completion _: Subscribers.Completion<Never>) {}
}
