import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`combineLatest`", .leavesNothing)
struct CombineLatestTests {
  @Test("`combineLatest` of a collection keeps only the newest row without demand")
  func manyKeepTheNewest() {
    let (first, second) = (CurrentValueSubject<Int, Never>(1), PassthroughSubject<Int, Never>())
    let publishers = [first.eraseToAnyPublisher(), second.eraseToAnyPublisher()]
    let recorder = publishers.combineLatest().record(demand: .max(1))

    second.send(10)
    second.send(20)
    first.send(2)
    recorder.request(.max(1))
    let afterRequest = recorder.values

    #expect(afterRequest.first == [1, 10])
    #expect(afterRequest.count == 2)
    recorder.request(.max(2))
    #expect(recorder.values.last?.first == 2)
  }

  @Test(
    "Iterating over `combineLatest` ends on the newest pair, for two publishers or a collection",
    arguments: [false, true])
  @MainActor func isNeverStale(_ isCollection: Bool) async {
    let (a, b) = (CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(0))
    let pairs =
      isCollection
      ? [a, b].combineLatest() : a.combineLatest(b) { [$0, $1] }.eraseToAnyPublisher()
    var iterator = pairs.values.makeAsyncIterator()
    var seen = [await iterator.next()]

    for round in 1...3 {
      a.send(round)
      b.send(round)
    }
    while seen.last != [3, 3], seen.count < 10 { seen.append(await iterator.next()) }

    #expect(seen.last == [3, 3])
  }

  @Test(
    "`combineLatest` requests demand from all, and what the answer to a row adds from those that owe less")
  func demand() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.combineLatest(second, +).record(demand: .max(2)) { $0.answer = { _ in .max(5) } }

    let early = first.say(1)
    let late = second.say(1)
    recorder.request(.max(3))

    #expect(early == .none)
    #expect(late == .max(5))
    #expect(first.demands == [.max(2), .max(5), .max(3)])
    #expect(second.demands == [.max(2), .max(3)])
  }

  @Test("`combineLatest` combines up to four publishers, and is equal for equal publishers")
  func arities() {
    let (a, b) = (Just("a"), Just("b"))
    let number = Just(1)

    let two = a.combineLatest(b).record().values.map { "\($0)\($1)" }
    let three = a.combineLatest(number, b).record().values.map { "\($0)\($1)\($2)" }
    let four = a.combineLatest(b, number, a).record().values.map { "\($0)\($1)\($2)\($3)" }

    #expect(two == ["ab"])
    #expect(three == ["a1b"])
    #expect(four == ["ab1a"])
    #expect(a.combineLatest(b) == a.combineLatest(b))
    #expect(a.combineLatest(b) != b.combineLatest(a))
  }
}
