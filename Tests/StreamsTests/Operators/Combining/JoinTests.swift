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

  @Test("An upstream that completes twice counts once: `combineLatest` goes on with the others")
  func completesTwice() {
    let recorder = first.combineLatest(second).map { $0 + $1 }.record()
    first.say(1)
    second.say(10)

    first.end()
    first.end()
    second.say(20)
    second.end()

    #expect(recorder.events == [.subscription, .value(11), .value(21), .completion(.finished)])
  }

  @Test("`combineLatest` reads a sequence to its end, in each place")
  func sequences() {
    let latest = CurrentValueSubject<Int, Never>(0)

    let first = (1...100).publisher.combineLatest(latest, +).record()
    let second = latest.combineLatest((1...100).publisher, +).record()

    #expect(first.values == [100])
    #expect(second.values == Array(1...100))
  }

  // MARK: The end

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

  @Test("`combineLatest` finishes though the publisher in any place has sent nothing", arguments: Place.all)
  func finishedEmpty(_ place: Place) {
    let scripts = place.scripts()
    let recorder = combined(scripts).record(demand: .none)
    for (number, script) in scripts.enumerated() where number != place.number { script.say(0) }

    scripts[place.number].end()
    let early = recorder.completions
    for (number, script) in scripts.enumerated() where number != place.number { script.end() }

    #expect(early == [])
    #expect(recorder.events == [.subscription, .completion(.finished)])
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
