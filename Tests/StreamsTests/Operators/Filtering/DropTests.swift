import Streams
import StreamsTesting
import Testing

@Suite("dropFirst and drop(while:)", .leavesNothing)
struct DropTests {
  @Test("leave out what comes first, and nothing after", arguments: 0...4)
  func drops(_ count: Int) {
    let script = Script(Int.self, failure: Problem.self)
    let first = script.dropFirst(count).record()

    for value in 0..<3 { script.say(value) }
    script.end()

    #expect(first.values == Array((0..<3).dropFirst(count)))
    #expect(first.completions == [.finished])
  }

  @Test("do not ask the predicate again once it has answered no")
  func predicate() {
    let script = Script(Int.self, failure: Problem.self)
    var asked: [Int] = []
    let recorder = script.drop { value in
      asked.append(value)
      return value < 2
    }.record()

    script.say(1, 2, 1, 3)

    #expect(asked == [1, 2])
    #expect(recorder.values == [2, 1, 3])
  }

  @Test("ask for another value in place of one that they drop")
  func demand() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let counted = first.dropFirst().record(demand: .max(1))
    let tested = second.drop { $0 < 2 }.record(demand: .max(1))

    let answers = [first.say(1), second.say(1)]

    #expect(answers == [.max(1), .max(1)])
    #expect(first.session?.outstanding == .max(1))
    #expect(second.session?.outstanding == .max(1))
    #expect(counted.values.isEmpty && tested.values.isEmpty)
  }

  @Test("do not take a negative count")
  func traps() async {
    await #expect(processExitsWith: .failure) {
      _ = Script(Int.self, failure: Problem.self).dropFirst(-1).record()
    }
  }
}
