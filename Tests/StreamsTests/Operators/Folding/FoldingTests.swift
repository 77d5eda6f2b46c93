import Streams
import StreamsTesting
import Testing

/// What `reduce`, `count`, `collect`, `contains`, `first` and the like have in common.
@Suite("An operator that answers once", .leavesNothing)
struct FoldingTests {
  @Test("asks upstream for everything, after it has handed its subscription down")
  func asks() {
    let journal = Journal()
    let script = Script(Int.self, failure: Problem.self, journal: journal)
    let recorder = script.count().record(demand: .none) { $0.journal = journal }

    recorder.request(.max(3))

    #expect(
      journal.lines == ["upstream: subscribe", "downstream: subscription", "upstream: request unlimited"])
  }

  @Test("keeps its answer until it is asked for")
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

  @Test("cancels upstream as soon as it knows the answer, and keeps that until it is asked for")
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

  @Test("fails without being asked, and throws away what it has")
  func fails() {
    let script = Script(Int.self, failure: Problem.self)
    let collected = script.collect().record()
    script.say(1)

    script.end(.failure(Problem(code: 1)))

    #expect(collected.events == [.subscription, .completion(.failure(Problem(code: 1)))])
  }

  @Test("that has no answer finishes without being asked")
  func nothing() {
    let script = Script(Int.self, failure: Problem.self)
    let recorders = [
      script.min().record(demand: .none), script.last().record(demand: .none),
      script.first().record(demand: .none), script.last { $0 > 0 }.record(demand: .none),
    ]

    for session in script.sessions { session.end() }

    #expect(recorders.allSatisfy { $0.events == [.subscription, .completion(.finished)] })
  }

  @Test("tells nothing of an answer if it is cancelled before it is asked")
  func cancelled() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.count().record(demand: .none)

    script.end()
    recorder.cancel()
    recorder.request(.max(1))

    #expect(recorder.events == [.subscription])
    #expect(script.cancellations == 0)
  }

  @Test("counts each subscriber's values apart")
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

  @Test("of an endless upstream ends it")
  func endless() {
    let numbers = (1...).publisher.eraseToAnyPublisher()

    #expect(numbers.first { $0 > 10 }.record().values == [11])
    #expect(numbers.contains(10).record().values == [true])
    #expect(numbers.allSatisfy { $0 < 10 }.record().values == [false])
  }
}

@Suite("min and max", .leavesNothing)
struct ComparisonTests {
  private struct Card: Equatable {
    let rank: Int
    let suit: String
  }

  @Test("keep the first of values that are equal")
  func ties() {
    let cards = [Card(rank: 1, suit: "a"), Card(rank: 1, suit: "b")].publisher.eraseToAnyPublisher()

    #expect(cards.min { $0.rank < $1.rank }.record().values.map(\.suit) == ["a"])
    #expect(cards.max { $0.rank < $1.rank }.record().values.map(\.suit) == ["a"])
    #expect(cards.tryMin { $0.rank < $1.rank }.record().values.map(\.suit) == ["a"])
    #expect(cards.tryMax { $0.rank < $1.rank }.record().values.map(\.suit) == ["a"])
  }

  @Test("do not compare a single value with anything")
  func single() {
    let recorder = Just(1).eraseToAnyPublisher().tryMin { _, _ in throw Problem(code: 1) }.record()

    #expect(recorder.values == [1])
  }
}

@Suite("collect(count)", .leavesNothing)
struct CollectByCountTests {
  @Test("asks upstream for as many values as make the arrays that are asked for")
  func demand() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(3).record(demand: .max(2)) { $0.answer = { _ in .max(4) } }

    let answers = (1...3).map { script.say($0) }
    recorder.request(.unlimited)

    #expect(answers == [.none, .none, .max(12)])
    #expect(script.demands == [.max(6), .unlimited])
    #expect(recorder.values == [[1, 2, 3]])
  }

  @Test("sends what is left when upstream finishes, and throws it away when upstream fails")
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

  @Test("sends no completion if what is left makes downstream cancel")
  func cancelledByTheRest() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(2).record { $0.onValue = { recorder, _ in recorder.cancel() } }

    script.say(1)
    script.end()

    #expect(recorder.events == [.subscription, .value([1])])
  }

  @Test("does not take a count of nothing")
  func traps() async {
    await #expect(processExitsWith: .failure) { _ = Just(1).collect(0) }
    await #expect(processExitsWith: .failure) { _ = Just(1).collect(-1) }
  }
}
