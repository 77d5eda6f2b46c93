import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("expand", .leavesNothing)
struct ExpandTests {
  private static let tree = [1: [2, 3], 2: [4, 5], 3: [6], 4: [7]]

  @Test(
    "sends a tree in the order that is asked for",
    arguments: [
      (order: MorePublishers.ExpandOrder.breadthFirst, values: [1, 2, 3, 4, 5, 6, 7]),
      (order: .depthFirst, values: [1, 2, 4, 7, 5, 3, 6]),
    ])
  func orders(_ row: (order: MorePublishers.ExpandOrder, values: [Int])) {
    let recorder = Just(1).expand(row.order) { Self.tree[$0, default: []].publisher }.record()

    #expect(recorder.values == row.values)
    #expect(recorder.completions == [.finished])
  }

  @Test(
    "sends as much as is requested, and asks for no more",
    arguments: [MorePublishers.ExpandOrder.breadthFirst, .depthFirst])
  func demand(_ order: MorePublishers.ExpandOrder) {
    var made = 0
    let recorder = Just(1).expand(order) { value in
      made += 1
      return [value + 1].publisher
    }.record(demand: .max(3))

    let early = (recorder.values, made)
    recorder.request(.max(2))

    #expect(early.0 == [1, 2, 3])
    #expect(early.1 <= 3)
    #expect(recorder.values == [1, 2, 3, 4, 5])
    recorder.cancel()
  }

  @Test(
    "follows a chain of 100,000 links on a small stack",
    arguments: [MorePublishers.ExpandOrder.breadthFirst, .depthFirst])
  func isFlat(_ order: MorePublishers.ExpandOrder) {
    let recorder = Just(1).expand(order) { ($0 < 100_000 ? $0 + 1 : nil).publisher }.record()

    #expect(recorder.values.count == 100_000)
    #expect(recorder.completions == [.finished])
  }

  @Test("requests one value at a time of what it follows depth-first")
  func asksForOne() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.expand(.depthFirst) { _ in second }.record()

    first.say(1)
    let early = first.demands.reduce(.none, +)
    second.end()

    #expect(early == .max(1))
    #expect(first.demands.reduce(.none, +) == .max(2))
    recorder.cancel()
  }

  @Test("fails with the first failure, and cancels the others, the latest first")
  func fails() {
    let journal = Journal()
    let first = Script(Int.self, failure: Problem.self, name: "first", journal: journal)
    let second = Script(Int.self, failure: Problem.self, name: "second", journal: journal)
    let third = Script(Int.self, failure: Problem.self, name: "third", journal: journal)
    let recorder = first.expand(.depthFirst) { $0 == 1 ? second : third }.record()

    first.say(1)
    second.say(2)
    third.end(.failure(Problem(code: 1)))

    #expect(recorder.values == [1, 2])
    #expect(recorder.completions == [.failure(Problem(code: 1))])
    #expect(journal.has("second: cancel", before: "first: cancel"))
  }
}
