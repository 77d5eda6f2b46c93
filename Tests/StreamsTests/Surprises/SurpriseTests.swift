import Streams
import StreamsTesting
import Testing

/// What surprises who meets Combine for the first time, as far as no test of a single operator shows it.
@Suite("It may surprise that", .leavesNothing)
struct SurpriseTests {
  @Test("timeout moves values to its scheduler, though nothing is late")
  func timeoutHops() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.timeout(3, scheduler: scheduler).record()

    script.say(1)
    #expect(recorder.values == [])

    scheduler.advance()
    #expect(recorder.values == [1])
  }

  @Test("prefix(1) asks for what is asked of it, and first() for everything")
  func firstOrPrefix() {
    let (prefixed, first) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Never.self))

    let recorders = [prefixed.prefix(1).record(demand: .max(2)), first.first().record(demand: .max(2))]

    #expect(recorders.count == 2)
    #expect(prefixed.demands == [.max(2)])
    #expect(first.demands == [.unlimited])
  }

  @Test("the count of no optional value is nothing, but the array of it is empty")
  func nothing() {
    let none = Int?.none.publisher

    #expect(none.count().record().events == [.subscription, .completion(.finished)])
    #expect(none.collect().record().values == [[]])
  }

  @Test("some publishers may be asked for nothing: a sequence, what is merged, a buffer")
  func toleratesNothing() {
    let recorders = [
      [1].publisher.record(demand: .none), Just(1).merge(with: Just(2)).record(demand: .none),
      Just(1).buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest).record(demand: .none),
    ]

    recorders.forEach { $0.request(.none) }

    #expect(recorders.allSatisfy { $0.values.isEmpty })
  }

  @Test("autoconnect counts who cancels, not who is there: a stream that has ended stays connected")
  func endedStaysConnected() {
    let source = Script(Int.self, failure: Never.self)
    let connectable = source.makeConnectable().autoconnect()
    let recorder = connectable.record()

    source.end()
    let late = connectable.record()

    #expect(recorder.events == [.subscription, .completion(.finished)])
    #expect(late.events == [.subscription, .completion(.finished)])
    #expect(source.sessions.count == 1)
    #expect(source.cancellations == 0)
  }

  @Test("what is sent from inside a delivery comes first to who is served second")
  func depthFirst() {
    let subject = PassthroughSubject<Int, Never>()
    let first = subject.record { recorder in
      recorder.onValue = { [unowned subject] _, value in if value == 1 { subject.send(2) } }
    }
    let second = subject.record()

    subject.send(1)

    #expect(first.values == [1, 2])
    #expect(second.values == [2, 1])
  }

  @Test("a subscription that nobody keeps is cancelled at once")
  func dropped() {
    let script = Script(Int.self, failure: Never.self)

    _ = script.sink { _ in }

    #expect(script.asks == [.request(.unlimited), .cancel])
  }
}
