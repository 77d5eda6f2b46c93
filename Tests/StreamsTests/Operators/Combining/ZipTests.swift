import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`zip`", .leavesNothing)
struct ZipTests {
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
}
