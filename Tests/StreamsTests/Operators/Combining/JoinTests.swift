import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Joined publishers", .leavesNothing)
struct JoinTests {
  private let first = Script(Int.self, failure: Problem.self)
  private let second = Script(Int.self, failure: Problem.self)

  // MARK: Demand

  @Test(
    "`zip(_:prefetch:)` requests a quarter of the prefetched values at once, and at least one",
    arguments: [
      (1, [.max(1), .max(1), .max(1), .max(1), .max(1)]),
      (2, [.max(2), .max(1), .max(1), .max(1), .max(1)]),
      (8, [.max(8), .max(2), .max(2)]),
      (12, [.max(12), .max(3)]),
    ] as [(prefetch: Int, demands: [Subscribers.Demand])])
  func quarters(_ row: (prefetch: Int, demands: [Subscribers.Demand])) {
    let recorder = first.zip(second, prefetch: row.prefetch).map { $0 + $1 }.record()

    for value in 1...4 {
      first.say(value)
      second.say(value * 10)
    }

    #expect(first.demands == row.demands)
    #expect(second.demands == row.demands)
    #expect(recorder.values == [11, 22, 33, 44])
  }

  @Test("`zip(_:prefetch:)` requests nothing while all rows that downstream wants are on their way")
  func prefetchesTheLast() {
    let recorder = first.zip(second, prefetch: 8).map { $0 + $1 }.record(demand: .max(3))

    for value in 1...3 {
      first.say(value)
      second.say(value * 10)
    }
    let early = first.demands
    recorder.request(.max(1))

    #expect(early == [.max(3)])
    #expect(first.demands == [.max(3), .max(1)])
    #expect(second.demands == [.max(3), .max(1)])
    #expect(recorder.values == [11, 22, 33])
  }

  @Test("`zip` sends as many of the rows that wait as are requested")
  func severalRows() {
    let recorder = first.zip(second, +).record(demand: .none)

    first.say(1, 2, 3)
    second.say(10, 20, 30)
    let early = recorder.values
    recorder.request(.max(2))
    let later = recorder.values
    recorder.request(.unlimited)

    #expect(early == [])
    #expect(later == [11, 22])
    #expect(recorder.values == [11, 22, 33])
  }

  @Test("`zip` and `combineLatest` request nothing before downstream does", arguments: [false, true])
  func asksNothing(_ zips: Bool) {
    let scripts = [first, second]
    let recorder = (zips ? zipped(scripts) : combined(scripts)).record(demand: .none)

    #expect(recorder.events == [.subscription])
    #expect(first.demands == [])
    #expect(second.demands == [])
  }

  @Test("`combineLatest` requests the demand for a waiting row once from each publisher")
  func waitingRow() {
    let recorder = first.combineLatest(second, +).record(demand: .max(2))
    first.say(1)
    second.say(10)
    second.say(20)

    first.say(2)
    recorder.request(.max(1))

    #expect(recorder.values == [11, 21, 22])
    #expect(first.demands == [.max(2), .max(1)])
    #expect(second.demands == [.max(2), .max(1)])
  }

  @Test("`combineLatest` requests what a waiting row is answered with from each publisher that owes less")
  func answeredWaitingRow() {
    let recorder = first.combineLatest(second, +).record(demand: .max(2)) {
      $0.answer = { $0 == 22 ? .max(4) : .none }
    }
    first.say(1)
    second.say(10)
    second.say(20)

    first.say(2)
    recorder.request(.max(1))

    #expect(first.demands == [.max(2), .max(1), .max(3)])
    #expect(second.demands == [.max(2), .max(1), .max(3)])
    #expect(recorder.outstanding == .max(4))
  }

  @Test("`combineLatest` reads a sequence to its end, in each place")
  func sequences() {
    let latest = CurrentValueSubject<Int, Never>(0)

    let first = (1...100).publisher.combineLatest(latest, +).record()
    let second = latest.combineLatest((1...100).publisher, +).record()

    #expect(first.values == [100])
    #expect(second.values == Array(1...100))
  }

  // MARK: Order

  @Test("`zip` delivers rows that are completed inside a delivery after it")
  func inTurn() {
    var events: [String] = []
    let subscription = first.zip(second, +).sink(
      receiveCompletion: { _ in },
      receiveValue: { [first, second] row in
        events.append("\(row) arrives")
        if row == 11 {
          first.say(2, 3)
          second.say(20, 30)
        }
        events.append("\(row) is back")
      })

    first.say(1)
    second.say(10)

    #expect(
      events == ["11 arrives", "11 is back", "22 arrives", "22 is back", "33 arrives", "33 is back"])
    subscription.cancel()
  }

  // MARK: The end

  @Test("`zip` does not complete after downstream has cancelled inside the last row")
  func cancelledInTheLastRow() {
    let recorder = first.zip(second, +).record { $0.onValue = { recorder, _ in recorder.cancel() } }

    first.say(1)
    first.end()
    second.say(10)

    #expect(recorder.events == [.subscription, .value(11)])
    #expect(second.cancellations == 1)
  }

  @Test("`combineLatest` does not complete after downstream has cancelled inside the row that waited")
  func cancelledInTheWaitingRow() {
    let recorder = first.combineLatest(second, +).record(demand: .max(1)) {
      $0.onValue = { recorder, row in if row == 12 { recorder.cancel() } }
    }
    first.say(1)
    second.say(10)
    first.say(2)
    first.end()
    second.end()

    recorder.request(.max(1))

    #expect(recorder.events == [.subscription, .value(11), .value(12)])
  }

  @Test("`combineLatest` sends no waiting row if it is cancelled while the request reaches a publisher")
  func cancelledInTheRequest() {
    var recorder: Recorder<Int, Problem>?
    first.onRequest = { _, _ in recorder?.cancel() }
    recorder = first.combineLatest(second, +).record(demand: .max(1))
    first.say(1)
    second.say(10)
    first.say(2)

    recorder?.request(.max(1))

    #expect(recorder?.events == [.subscription, .value(11)])
    #expect(first.cancellations == 1)
    #expect(second.cancellations == 1)
    first.onRequest = nil
    recorder = nil
  }

  @Test("`combineLatest` finishes with a request only after both publishers have finished")
  func oneFinished() {
    let recorder = first.combineLatest(second, +).record(demand: .max(1))
    first.say(1)
    second.say(10)
    first.end()
    second.say(20)

    recorder.request(.max(1))
    let early = recorder.completions
    second.end()

    #expect(early == [])
    #expect(recorder.events == [.subscription, .value(11), .value(21), .completion(.finished)])
  }

  @Test("`zip` finishes when the publisher in any place has no value left", arguments: Place.all)
  func exhausted(_ place: Place) {
    let scripts = place.scripts()
    let recorder = zipped(scripts).record()

    for (number, script) in scripts.enumerated() { script.say(number) }
    scripts[place.number].end()

    #expect(
      recorder.events == [.subscription, .value(Array(scripts.indices)), .completion(.finished)])
    #expect(scripts.map(\.cancellations) == scripts.indices.map { $0 == place.number ? 0 : 1 })
  }

  @Test("`zip` pairs what a finished publisher in any place has sent", arguments: Place.all)
  func exhaustedLater(_ place: Place) {
    let scripts = place.scripts()
    let recorder = zipped(scripts).record()
    scripts[place.number].say(1, 2)
    scripts[place.number].end()

    for round in 1...2 {
      #expect(recorder.completions == [])
      for (number, script) in scripts.enumerated() where number != place.number { script.say(round) }
    }

    #expect(recorder.values == [1, 2].map { Array(repeating: $0, count: place.arity) })
    #expect(recorder.completions == [.finished])
  }

  @Test("`combineLatest` finishes when the publisher in any place is the last to do so", arguments: Place.all)
  func finishedLast(_ place: Place) {
    let scripts = place.scripts()
    let recorder = combined(scripts).record()
    for script in scripts { script.say(0) }

    for (number, script) in scripts.enumerated() where number != place.number { script.end() }
    scripts[place.number].say(1)
    let early = recorder.completions
    scripts[place.number].end()

    #expect(early == [])
    #expect(
      recorder.values == [
        Array(repeating: 0, count: place.arity), scripts.indices.map { $0 == place.number ? 1 : 0 },
      ])
    #expect(recorder.completions == [.finished])
  }

  @Test(
    "`zip` and `combineLatest` fail with the publisher in any place, and cancel the others",
    arguments: Place.all)
  func fails(_ place: Place) {
    for join in [zipped, combined] {
      let scripts = place.scripts()
      let recorder = join(scripts).record()

      scripts[place.number].end(.failure(Problem(code: 1)))

      #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 1)))])
      #expect(scripts.map(\.cancellations) == scripts.indices.map { $0 == place.number ? 0 : 1 })
    }
  }

  // MARK: Two to four publishers

  /// One of the publishers that are joined.
  struct Place: CustomTestStringConvertible, Sendable {
    let number: Int
    let arity: Int

    static let all = (2...4).flatMap { arity in (0..<arity).map { Place(number: $0, arity: arity) } }

    var testDescription: String { "\(number + 1) of \(arity)" }

    func scripts() -> [Script<Int, Problem>] { (0..<arity).map { _ in Script() } }
  }

  private func zipped(_ all: [Script<Int, Problem>]) -> AnyPublisher<[Int], Problem> {
    switch all.count {
    case 2: all[0].zip(all[1]) { [$0, $1] }.eraseToAnyPublisher()
    case 3: all[0].zip(all[1], all[2]) { [$0, $1, $2] }.eraseToAnyPublisher()
    default: all[0].zip(all[1], all[2], all[3]) { [$0, $1, $2, $3] }.eraseToAnyPublisher()
    }
  }

  private func combined(_ all: [Script<Int, Problem>]) -> AnyPublisher<[Int], Problem> {
    switch all.count {
    case 2: all[0].combineLatest(all[1]) { [$0, $1] }.eraseToAnyPublisher()
    case 3: all[0].combineLatest(all[1], all[2]) { [$0, $1, $2] }.eraseToAnyPublisher()
    default: all[0].combineLatest(all[1], all[2], all[3]) { [$0, $1, $2, $3] }.eraseToAnyPublisher()
    }
  }
}
