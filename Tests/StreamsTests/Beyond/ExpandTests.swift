import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`expand`", .leavesNothing)
struct ExpandTests {
  @Test(
    "`expand` sends as many values as requested, and creates no more publishers than needed",
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
    "`expand` follows a chain of 100,000 values without deepening the stack",
    arguments: [MorePublishers.ExpandOrder.breadthFirst, .depthFirst])
  func isFlat(_ order: MorePublishers.ExpandOrder) {
    let recorder = Just(1).expand(order) { ($0 < 100_000 ? $0 + 1 : nil).publisher }.record()

    #expect(recorder.values.count == 100_000)
    #expect(recorder.completions == [.finished])
  }

  @Test("Depth-first `expand` requests one upstream value at a time")
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

  @Test("`expand` fails with the first failure, and cancels the other publishers, latest first")
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
