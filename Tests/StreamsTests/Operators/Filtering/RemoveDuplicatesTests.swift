import Streams
import StreamsTesting
import Testing

@Suite("`removeDuplicates`", .leavesNothing)
struct RemoveDuplicatesTests {
  @Test(
    "`removeDuplicates` drops values equal to the previous one",
    arguments: [
      (sent: [], delivered: []),
      (sent: [1, 1, 1], delivered: [1]),
      (sent: [1, 2, 2, 1, 1, 2], delivered: [1, 2, 1, 2]),
    ] as [(sent: [Int], delivered: [Int])])
  func removes(_ row: (sent: [Int], delivered: [Int])) {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.removeDuplicates().record()

    for value in row.sent { script.say(value) }

    #expect(recorder.values == row.delivered)
  }

  @Test("`removeDuplicates` compares with the previous upstream value, even if that was dropped")
  func creeping() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.removeDuplicates { $1 - $0 < 2 }.record()

    script.say(1, 2, 3, 4, 9)

    #expect(recorder.values == [1, 9])
  }

  @Test("`removeDuplicates` passes the previous and the new value to its closure")
  func arguments() {
    let script = Script(Int.self, failure: Problem.self)
    var pairs: [[Int]] = []
    let recorder = script.removeDuplicates { before, value in
      pairs.append([before, value])
      return false
    }.record()

    script.say(1, 2, 3)

    #expect(pairs == [[1, 2], [2, 3]])
    #expect(recorder.values == [1, 2, 3])
  }

  @Test("`tryRemoveDuplicates` compares with the previous value, and requests another one for each duplicate")
  func tries() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.tryRemoveDuplicates { try positive($1) == $0 }.record(demand: .max(4))

    let answers = [1, 1, 2, 1].map { script.say($0) }
    script.say(-1)

    #expect(recorder.values == [1, 2, 1])
    #expect(answers == [.none, .max(1), .none, .none])
    #expect(recorder.failure == Problem(code: -1))
  }

  @Test("`removeDuplicates` requests another value for each one that it drops")
  func demand() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.removeDuplicates().record(demand: .max(2))

    script.say(1)
    let answer = script.say(1)

    #expect(answer == .max(1))
    #expect(script.demands == [.max(2)])
    #expect(recorder.values == [1])
  }

  @Test("`removeDuplicates` remembers the previous value separately for each subscriber")
  func independent() {
    let publisher = [1, 1, 2].publisher.eraseToAnyPublisher().removeDuplicates()

    #expect(publisher.record().values == [1, 2])
    #expect(publisher.record().values == [1, 2])
  }
}
