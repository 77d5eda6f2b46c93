import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`zip`", .leavesNothing)
struct ZipTests {
  /// What is said: positive by the first, negative by the second publisher.
  @Test(
    "`zip` pairs values by position, whichever publisher sends first",
    arguments: [
      (said: [1, 2], rows: []),
      (said: [1, -1], rows: ["1-1"]),
      (said: [-1, 1], rows: ["1-1"]),
      (said: [1, 2, -1, -2, -3, 3], rows: ["1-1", "2-2", "3-3"]),
      (said: [-1, -2, -3, 1, 2], rows: ["1-1", "2-2"]),
    ] as [(said: [Int], rows: [String])])
  func pairs(_ row: (said: [Int], rows: [String])) {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.zip(second) { "\($0)\($1)" }.record()

    for value in row.said { (value > 0 ? first : second).say(value) }

    #expect(recorder.values == row.rows)
    #expect(recorder.completions.isEmpty)
  }

  @Test("`zip` finishes when a publisher without waiting values finishes, and cancels the other")
  func finishesEmpty() {
    let journal = Journal()
    let first = Script(Int.self, failure: Problem.self, name: "first", journal: journal)
    let second = Script(Int.self, failure: Problem.self, name: "second", journal: journal)
    let recorder = first.zip(second, +).record { $0.journal = journal }

    second.say(1)
    first.end()

    #expect(recorder.completions == [.finished])
    #expect(journal.lines.suffix(2) == ["second: cancel", "downstream: finished"])
  }

  @Test("`zip` finishes after pairing the last value of a finished publisher")
  func finishesLate() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.zip(second, +).record()

    first.say(1, 2)
    first.end()
    let early = recorder.completions
    second.say(10, 20, 30)

    #expect(early.isEmpty)
    #expect(recorder.events == [.subscription, .value(11), .value(22), .completion(.finished)])
    #expect(second.cancellations == 1)
  }

  @Test("`zip` fails at once, and drops waiting values")
  func fails() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.zip(second, +).record(demand: .none)

    first.say(1)
    second.end(.failure(Problem(code: 1)))

    #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 1)))])
    #expect(first.cancellations == 1)
  }

  @Test("`zip` requests as many values of each publisher as rows are requested")
  func demand() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.zip(second, +).record(demand: .max(2))

    recorder.request(.max(3))

    #expect(first.demands == [.max(2), .max(3)])
    #expect(second.demands == [.max(2), .max(3)])
  }

  @Test("`zip` returns a row's demand to its last sender, and requests it of the others")
  func answers() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.zip(second, +).record(demand: .max(1)) { $0.answer = { _ in .max(5) } }

    let early = first.say(1)
    let late = second.say(1)

    #expect(early == .none)
    #expect(late == .max(5))
    #expect(first.demands == [.max(1), .max(5)])
    #expect(second.demands == [.max(1)])
    #expect(recorder.values == [2])
  }

  @Test("`zip` holds complete rows back until they are requested")
  func holdsBack() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.zip(second, +).record(demand: .max(1))

    first.say(1, 2)
    second.say(10, 20)
    first.end()
    let early = recorder.events
    recorder.request(.max(1))

    #expect(early == [.subscription, .value(11)])
    #expect(recorder.events == [.subscription, .value(11), .value(22), .completion(.finished)])
  }

  @Test("`zip` keeps the order of rows completed inside a delivery")
  func reentrant() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.zip(second, +).record { recorder in
      recorder.onValue = { [unowned first, unowned second] _, value in
        guard value == 11 else { return }
        first.say(2, 3)
        second.say(20, 30)
      }
    }

    first.say(1)
    second.say(10)

    #expect(recorder.values == [11, 22, 33])
  }

  @Test("`zip` combines up to four publishers, and is equal for equal publishers")
  func arities() {
    let letters = ["a", "b"].publisher
    let numbers = [1, 2, 3].publisher

    let two = letters.zip(numbers).record().values.map { "\($0)\($1)" }
    let three = letters.zip(numbers, numbers).record().values.map { "\($0)\($1)\($2)" }
    let four = letters.zip(numbers, letters, numbers).record().values.map { "\($0)\($1)\($2)\($3)" }

    #expect(two == ["a1", "b2"])
    #expect(three == ["a11", "b22"])
    #expect(four == ["a1a1", "b2b2"])
    #expect(letters.zip(numbers) == letters.zip(numbers))
    #expect(letters.zip(numbers) != ["c"].publisher.zip(numbers))
  }

  @Test("`zip` reads a sequence a few elements ahead, not to its end", arguments: [false, true])
  func endless(_ isSecond: Bool) {
    var read = 0
    let numbers = sequence(state: 0) { (next: inout Int) -> Int? in
      read += 1
      next += 1
      return next
    }
    let events = PassthroughSubject<Int, Never>()
    // Erased: a sequence has a `map` of its own, which is not lazy, as in Combine.
    let sequence = numbers.publisher.eraseToAnyPublisher().map { $0 * 10 }.scan(0) { $1 }
    let pairs =
      isSecond ? events.zip(sequence, +).eraseToAnyPublisher() : sequence.zip(events, +).eraseToAnyPublisher()
    let recorder = pairs.record()
    let early = read

    for event in 1...100 { events.send(event) }

    #expect((1...40).contains(early))
    #expect(read <= 140)
    #expect(recorder.values == (1...100).map { $0 * 11 })
    recorder.cancel()
  }

  @Test(
    "`zip` pairs two endless sequences as far as requested",
    arguments: [Subscribers.Demand.max(3), .unlimited])
  func endlessBoth(_ demand: Subscribers.Demand) {
    let recorder = (1...).publisher.zip((1...).publisher, +).prefix(50).record(demand: demand)

    #expect(recorder.values == (1...(demand.max ?? 50)).map { $0 * 2 })
    recorder.cancel()
  }

  @Test("`zip(_:prefetch:)` requests only a few values ahead from each publisher")
  func prefetches() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.zip(second, prefetch: 2).map { $0 + $1 }.record()

    first.say(1, 2)
    let early = first.demands
    second.say(10, 20)

    #expect(early == [.max(2)])
    #expect(second.demands.reduce(.none, +) == .max(4))
    #expect(first.demands.reduce(.none, +) == .max(4))
    #expect(recorder.values == [11, 22])
    recorder.cancel()
  }

  @Test("`zip(_:prefetch:)` requests no more values than downstream demand")
  func prefetchesWithinDemand() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.zip(second, prefetch: 8).map { $0 + $1 }.record(demand: .max(1))

    first.say(1)
    second.say(10)
    recorder.request(.max(1))

    #expect(first.demands == [.max(1), .max(1)])
    #expect(second.demands == [.max(1), .max(1)])
    #expect(recorder.values == [11])
    recorder.cancel()
  }
}
