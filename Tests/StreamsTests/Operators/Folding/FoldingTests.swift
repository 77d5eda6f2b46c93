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
