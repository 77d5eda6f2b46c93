import Streams
import StreamsTesting
import Testing

@Suite("`prefix` and `output`", .leavesNothing)
struct OutputTests {
  @Test("`prefix(0)` ends once, with the completion of an upstream that sends no subscription")
  func endsWithoutSubscription() {
    let script = Script(Int.self, failure: Problem.self)
    script.handsOverAtOnce = false
    let recorder = script.prefix(0).record()

    script.end(.failure(Problem(code: 1)))
    script.end()
    if let session = script.session { session.handOver(session.subscription) }

    #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 1)))])
    #expect(script.asks == [.cancel])
  }

  @Test("`output` accepts every kind of range")
  func ranges() {
    let values = (0..<6).publisher.eraseToAnyPublisher()

    #expect(values.output(in: 2...3).record().values == [2, 3])
    #expect(values.output(in: ..<2).record().values == [0, 1])
    #expect(values.output(in: ...2).record().values == [0, 1, 2])
    #expect(values.output(in: 4...).record().values == [4, 5])
    #expect(values.output(in: 9...).record().events == [.subscription, .completion(.finished)])
    #expect(values.output(at: 5).record().values == [5])
  }

  @Test("`output` sends the positions of every range, and finishes with the last one")
  func positions() {
    for lower in 0..<5 {
      for upper in lower..<6 {
        let script = Script(Int.self, failure: Problem.self)
        let recorder = script.output(in: lower..<upper).record()

        for value in 0..<4 { script.say(value) }

        #expect(recorder.values == (lower..<upper).filter { $0 < 4 })
        #expect((recorder.events.last == .completion(.finished)) == (lower == upper || upper <= 4))
        #expect(script.cancellations == (lower == upper || upper <= 4 ? 1 : 0))
      }
    }
  }

  @Test("`output` resolves a range once, relative to all indices from zero")
  func customRanges() {
    let range = FirstPlaces(count: 2)
    let values = (0..<6).publisher.eraseToAnyPublisher()

    let recorder = values.output(in: range).record()

    #expect(recorder.values == [0, 1])
    #expect(range.collections.withLock { $0 } == ["0..<9223372036854775807"])
    #expect(Empty<Int, Never>().output(in: .max...).range == .max ..< .max)
  }

  @Test("`prefix` and `output` trap on negative numbers")
  func traps() async {
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().output(at: -1) }
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().output(in: -1..<2) }
    await #expect(processExitsWith: .failure) {
      _ = Publishers.Output(upstream: Empty<Int, Never>(), range: -1..<0)
    }
    await #expect(processExitsWith: .failure) {
      _ = Publishers.Output(upstream: Empty<Int, Never>(), range: -2 ..< -1)
    }
  }

  @Test("Two `Publishers.Output` are equal if their upstreams and ranges are")
  func equality() {
    let values = [1, 2].publisher

    #expect(
      Publishers.Output(upstream: values, range: 0..<1) == Publishers.Output(upstream: values, range: 0..<1))
    #expect(
      Publishers.Output(upstream: values, range: 0..<1) != Publishers.Output(upstream: values, range: 0..<2))
  }
}

/// The first places of whatever it is relative to.
private final class FirstPlaces: RangeExpression {
  let count: Int
  let collections = Guarded<[String]>([])

  init(count: Int) { self.count = count }

  func contains(_ place: Int) -> Bool { (0..<count).contains(place) }

  func relative<Places: Collection>(to places: Places) -> Range<Int> where Places.Index == Int {
    collections.withLock { $0.append("\(places)") }
    return places.startIndex..<places.index(places.startIndex, offsetBy: count)
  }
}
