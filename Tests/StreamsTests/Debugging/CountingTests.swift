import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// Signals that reach the tool directly, so that those of other tests are not counted.
@Suite("Counts of subscriptions", .serialized, .leavesNothing)
struct CountingTests {
  @Test("A counter counts subscriptions, their ends and drops, and describes the open ones")
  func counter() {
    let counter = SubscriptionCounter()
    let places = (0..<11).map { _ in StagedSignals.pair().below }
    #expect([counter.open, counter.total, counter.drops] == [0, 0, 0])
    #expect(counter.description == "0 open of 0 subscriptions, 0 values dropped")

    for place in places {
      counter.observe(.subscribed, on: place)
      counter.observe(.subscription, on: place)
      counter.observe(.requested(.unlimited), on: place)
      counter.observe(.text("1"), on: place)
    }
    counter.observe(.drop("1"), on: places[0])
    counter.observe(.drop("2", .noSubscriber), on: nil)
    let ten = Array(repeating: "Map → Recorder", count: 10).joined(separator: ", ")
    #expect([counter.open, counter.total, counter.drops] == [11, 11, 2])
    #expect(counter.description == "11 open of 11 subscriptions, 2 values dropped: \(ten), and 1 more")

    counter.observe(.finished, on: places[0])
    #expect(counter.description == "10 open of 11 subscriptions, 2 values dropped: \(ten)")
    counter.observe(.failed("3"), on: places[1])
    counter.observe(.cancelled, on: places[2])
    counter.observe(.released, on: places[3])
    #expect([counter.open, counter.total, counter.drops] == [8, 11, 2])
  }

  @Test("A description lists open subscriptions in the order in which they began")
  func order() {
    let counter = SubscriptionCounter()
    let (below, above) = StagedSignals.pair()
    counter.observe(.subscription, on: above)
    counter.observe(.subscription, on: below)

    #expect(
      counter.description
        == "2 open of 2 subscriptions, 0 values dropped: Map → Recorder, PassthroughSubject → Map")
  }

  @Test("A list counts from its start, keeps that when it is started again, and counts nothing before")
  func late() async {
    await #expect(processExitsWith: .success) {
      let (first, second) = (LiveSubscriptions(), LiveSubscriptions())
      first.start()
      let subject = PassthroughSubject<Int, Never>()
      let recorder = subject.record(demand: .max(3))
      subject.send(1)
      second.start()
      subject.send(2)
      first.start()

      precondition(first.summaries.map(\.numbers.valueCount) == [2])
      precondition(second.summaries.map(\.numbers.valueCount) == [1])
      precondition(second.summaries.map(\.numbers.demand) == [nil])
      precondition(second.entries[0].events.map(\.kind) == [.found, .value("2")])

      let stopped = LiveSubscriptions().entries
      precondition(stopped.map(\.valueCount) == [0] && stopped.map(\.dropCount) == [0])
      precondition(stopped[0].firstEvent == .zero && stopped[0].lastEvent == .zero)
      precondition(stopped[0].events.isEmpty && stopped[0].waitingCount == nil)
      withExtendedLifetime(recorder) {}
    }
  }

  @Test("The values of merged publishers that have not left are those that wait")
  func waiting() async {
    await #expect(processExitsWith: .success) {
      let list = LiveSubscriptions()
      list.start()
      let (terms, child) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let recorder = terms.flatMap { _ in child }.record(demand: .max(1))
      terms.send(1)
      precondition(list.entries.first?.waitingCount == nil)
      child.send(1)
      precondition(list.entries.first?.waitingCount == 0)
      child.send(2)
      precondition(list.entries.first?.waitingCount == 1)
      recorder.request(.max(1))
      precondition(list.entries.first?.waitingCount == 0)
      precondition(list.entries.map(\.valueCount) == [2, 1, 2])
    }
  }

  @Test("A list has summaries of more subscriptions than it reads at once")
  func many() async {
    await #expect(processExitsWith: .success) {
      let list = LiveSubscriptions()
      list.start()
      for count in [127, 128, 129, 257] {
        let recorders = (0..<count).map { _ in PassthroughSubject<Int, Never>().record(demand: .max(1)) }

        let ids = list.summaries.map(\.id)
        precondition(ids.count == count && ids == ids.sorted() && Set(ids).count == count)
        precondition(list.summaries.allSatisfy { $0.numbers.demand == .max(1) })
        for recorder in recorders { recorder.cancel() }
      }
      precondition(list.summaries.isEmpty)
    }
  }

  @Test("A report of `debug` names the place, the subscription, the time and the signal, and a name if given")
  func reports() throws {
    var events: [DebugEvent] = []
    let subject = PassthroughSubject<Int, Problem>()
    let recorder = subject.debug(fileID: "A.swift", line: 1) { events.append($0) }
      .debug("b", trim: 1, fileID: "A.swift", line: 2) { events.append($0) }.record(demand: .max(1)) {
        $0.answer = { $0 == 1 ? .max(1) : .none }
      }

    subject.send(1)
    subject.send(22)
    subject.send(3)
    subject.send(completion: .failure(Problem(code: 4)))

    let signals = events.map(\.signal)
    #expect(events.allSatisfy { $0.thread >= 1 && $0.subscription == 1 })
    #expect(
      events.filter { $0.name.isEmpty }.allSatisfy {
        $0.description.contains(#/^A\.swift:1 #1 \+\d+\.\d{3}s thread \d+: /#)
          && $0.description.hasSuffix($0.signal)
      })
    #expect(
      events.filter { $0.name == "b" }.allSatisfy {
        $0.description.contains(#/^A\.swift:2 b #1 \+\d+\.\d{3}s thread \d+: /#)
      })
    #expect(
      events.filter { $0.name == "b" && $0.signal.hasPrefix("value") }.map(\.signal)
        == ["value 1", "value 2…"])
    #expect(signals.contains("value 22"))
    #expect(signals.filter { $0 == "request 1 in answer" }.count == 2)
    #expect(!signals.contains { $0.hasPrefix("request 0") })
    #expect(signals.filter { $0 == "drop 3 by PassthroughSubject: no demand" }.count == 2)
    #expect(signals.suffix(2) == ["failure Problem(code: 4)", "failure Problem(code: 4)"])
    withExtendedLifetime(recorder) {}
  }

  @Test("A failure that has passed no checkpoint is described by itself, and an unnamed one by its place")
  func checkpoints() {
    let place = CallSite(fileID: "A.swift", line: 9)

    #expect(TracedFailure(Problem(code: 1), checkpoints: []).description == "Problem(code: 1)")
    #expect(
      TracedFailure(Problem(code: 1), checkpoints: [Checkpoint("", at: place)]).description
        == "Problem(code: 1), by A.swift:9")
    #expect(Checkpoint("c", at: place).description == "\"c\" at A.swift:9")
    #expect(place.description == "A.swift:9")
  }
}
