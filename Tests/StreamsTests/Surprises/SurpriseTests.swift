import Streams
import StreamsTesting
import Testing

/// What surprises who meets Combine for the first time, as far as no test of a single operator shows it.
@Suite("Surprising behavior of Combine", .leavesNothing)
struct SurpriseTests {
  @Test("`timeout` delivers values on its scheduler, even if none is late")
  func timeoutHops() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.timeout(3, scheduler: scheduler).record()

    script.say(1)
    #expect(recorder.values == [])

    scheduler.advance()
    #expect(recorder.values == [1])
  }

  @Test("`prefix(1)` forwards downstream demand, and `first()` requests unlimited demand")
  func firstOrPrefix() {
    let (prefixed, first) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Never.self))

    let recorders = [prefixed.prefix(1).record(demand: .max(2)), first.first().record(demand: .max(2))]

    #expect(recorders.count == 2)
    #expect(prefixed.demands == [.max(2)])
    #expect(first.demands == [.unlimited])
  }

  @Test("`count` of a nil optional's publisher is empty, and `collect` sends an empty array")
  func nothing() {
    let none = Int?.none.publisher

    #expect(none.count().record().events == [.subscription, .completion(.finished)])
    #expect(none.collect().record().values == [[]])
  }

  @Test("Publishers of sequences, merges and buffers accept a request of zero")
  func toleratesNothing() {
    let recorders = [
      [1].publisher.record(demand: .none), Just(1).merge(with: Just(2)).record(demand: .none),
      Just(1).buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest).record(demand: .none),
    ]

    recorders.forEach { $0.request(.none) }

    #expect(recorders.allSatisfy { $0.values.isEmpty })
  }

  @Test("`autoconnect` stays connected after the completion of its stream")
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

  @Test("A value sent inside a delivery reaches the second subscriber before the outer value")
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

  @Test("A sink whose cancellable is not stored is cancelled immediately")
  func dropped() {
    let script = Script(Int.self, failure: Never.self)

    _ = script.sink { _ in }

    #expect(script.asks == [.request(.unlimited), .cancel])
  }
}
