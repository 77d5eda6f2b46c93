import Streams
import StreamsTesting
import Testing

/// What `reduce`, `count`, `collect`, `contains`, `first` and the like have in common.
@Suite("Operators with a single result", .leavesNothing)
struct FoldingTests {
  @Test("An operator with a single result passes on its subscription, then requests unlimited demand")
  func asks() {
    let journal = Journal()
    let script = Script(Int.self, failure: Problem.self, journal: journal)
    let recorder = script.count().record(demand: .none) { $0.journal = journal }

    recorder.request(.max(3))

    #expect(
      journal.lines == ["upstream: subscribe", "downstream: subscription", "upstream: request unlimited"])
  }

  @Test("An operator with a single result keeps the result until it is requested")
  func keeps() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.reduce(10, +).record(demand: .none)

    script.say(1, 2)
    script.end()
    let early = recorder.events
    recorder.request(.max(1))
    recorder.request(.max(1))

    #expect(early == [.subscription])
    #expect(recorder.events == [.subscription, .value(13), .completion(.finished)])
  }

  @Test("`first(where:)` cancels upstream at its result, and keeps that until it is requested")
  func knowsEarly() {
    let journal = Journal()
    let script = Script(Int.self, failure: Problem.self, journal: journal)
    let recorder = script.first { $0 > 1 }.record(demand: .none) { $0.journal = journal }

    script.say(1, 2, 3)
    let early = recorder.events
    recorder.request(.max(1))

    #expect(early == [.subscription])
    #expect(script.cancellations == 1)
    #expect(journal.lines.suffix(3) == ["upstream: cancel", "downstream: value 2", "downstream: finished"])
  }

  @Test("`collect` fails without demand, and drops the collected values")
  func fails() {
    let script = Script(Int.self, failure: Problem.self)
    let collected = script.collect().record()
    script.say(1)

    script.end(.failure(Problem(code: 1)))

    #expect(collected.events == [.subscription, .completion(.failure(Problem(code: 1)))])
  }

  @Test("An operator without a result finishes without demand")
  func nothing() {
    let script = Script(Int.self, failure: Problem.self)
    let recorders = [
      script.min().record(demand: .none), script.last().record(demand: .none),
      script.first().record(demand: .none), script.last { $0 > 0 }.record(demand: .none),
    ]

    for session in script.sessions { session.end() }

    #expect(recorders.allSatisfy { $0.events == [.subscription, .completion(.finished)] })
  }

  @Test("An operator with a single result sends nothing if it is cancelled before the request")
  func cancelled() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.count().record(demand: .none)

    script.end()
    recorder.cancel()
    recorder.request(.max(1))

    #expect(recorder.events == [.subscription])
    #expect(script.cancellations == 0)
  }

  @Test("`collect` collects the values of each subscriber separately")
  func independent() {
    let script = Script(Int.self, failure: Problem.self)
    let publisher = script.collect()
    let (first, second) = (publisher.record(), publisher.record())

    script.sessions[0].say(1)
    script.sessions[1].say(2)
    for session in script.sessions { session.end() }

    #expect(first.values == [[1]])
    #expect(second.values == [[2]])
  }

  @Test("`first`, `contains` and `allSatisfy` end an endless upstream")
  func endless() {
    let numbers = (1...).publisher.eraseToAnyPublisher()

    #expect(numbers.first { $0 > 10 }.record().values == [11])
    #expect(numbers.contains(10).record().values == [true])
    #expect(numbers.allSatisfy { $0 < 10 }.record().values == [false])
  }
}

@Suite("`min` and `max`", .leavesNothing)
struct ComparisonTests {
  private struct Card: Equatable {
    let rank: Int
    let suit: String
  }

  @Test("`min` and `max` keep the first of equal values")
  func ties() {
    let cards = [Card(rank: 1, suit: "a"), Card(rank: 1, suit: "b")].publisher.eraseToAnyPublisher()

    #expect(cards.min { $0.rank < $1.rank }.record().values.map(\.suit) == ["a"])
    #expect(cards.max { $0.rank < $1.rank }.record().values.map(\.suit) == ["a"])
    #expect(cards.tryMin { $0.rank < $1.rank }.record().values.map(\.suit) == ["a"])
    #expect(cards.tryMax { $0.rank < $1.rank }.record().values.map(\.suit) == ["a"])
  }

  @Test("`tryMin` does not call its closure for a single value")
  func single() {
    let recorder = Just(1).eraseToAnyPublisher().tryMin { _, _ in throw Problem(code: 1) }.record()

    #expect(recorder.values == [1])
  }
}

@Suite("`collect(_:)`", .leavesNothing)
struct CollectByCountTests {
  @Test("`collect(_:)` requests as many values as the requested arrays need")
  func demand() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(3).record(demand: .max(2)) { $0.answer = { _ in .max(4) } }

    let answers = (1...3).map { script.say($0) }
    recorder.request(.unlimited)

    #expect(answers == [.none, .none, .max(12)])
    #expect(script.demands == [.max(6), .unlimited])
    #expect(recorder.values == [[1, 2, 3]])
  }

  @Test("`collect(_:)` sends the remaining values when upstream finishes, and none on failure")
  func ends() {
    let (finishing, failing) = (
      Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self)
    )
    let (first, second) = (finishing.collect(2).record(), failing.collect(2).record())

    finishing.say(1, 2, 3)
    finishing.end()
    failing.say(1)
    failing.end(.failure(Problem(code: 1)))

    #expect(first.events == [.subscription, .value([1, 2]), .value([3]), .completion(.finished)])
    #expect(second.events == [.subscription, .completion(.failure(Problem(code: 1)))])
  }

  @Test("`collect(_:)` sends no completion if downstream cancels inside the last array")
  func cancelledByTheRest() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(2).record { $0.onValue = { recorder, _ in recorder.cancel() } }

    script.say(1)
    script.end()

    #expect(recorder.events == [.subscription, .value([1])])
  }

  @Test("`collect(_:)` reserves memory for the values that arrive, and not for all that its count allows")
  func reserves() {
    let recorder = [1, 2].publisher.collect(1 << 50).record()

    #expect(recorder.values == [[1, 2]])
  }

  @Test("`collect(_:)` traps on a count of zero or less")
  func traps() async {
    await #expect(processExitsWith: .failure) { _ = Just(1).collect(0) }
    await #expect(processExitsWith: .failure) { _ = Just(1).collect(-1) }
  }
}
