import Streams
import StreamsTesting
import Testing

@Suite("`filter`", .leavesNothing)
struct FilterTests {
  @Test(
    "`filter` forwards the values that satisfy its predicate",
    arguments: [[], [1, 3], [2, 4], [1, 2, 3, 4]])
  func filters(_ sent: [Int]) {
    let recorder = sent.publisher.filter { $0.isMultiple(of: 2) }.record()

    #expect(recorder.values == sent.filter { $0.isMultiple(of: 2) })
    #expect(recorder.completions == [.finished])
  }

  @Test("`filter` requests another value for each one that it drops")
  func replaces() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.filter { $0 > 0 }.record(demand: .max(1))

    let answers = [script.say(-1), script.say(0), script.say(1)]

    #expect(answers == [.max(1), .max(1), .none])
    #expect(recorder.values == [1])
  }

  @Test("`tryFilter` and `tryCompactMap` request another value for each one that they drop")
  func triesReplace() {
    let script = Script(Int.self, failure: Problem.self)
    let filtered = script.tryFilter { $0 > 1 }.record(demand: .max(1))
    let answers = [script.say(1), script.say(2)]
    let mapped = script.tryCompactMap { $0 > 1 ? $0 : nil }.record(demand: .max(1))
    let others = [script.say(1), script.say(2)]

    #expect(answers == [.max(1), .none])
    #expect(others == [.max(1), .none])
    #expect(filtered.values == [2])
    #expect(mapped.values == [2])
    filtered.cancel()
    mapped.cancel()
  }

  @Test("`filter` meets the demand, however many values it drops", arguments: 0...5)
  func meetsDemand(_ count: Int) {
    let recorder = (1...100).publisher.eraseToAnyPublisher().filter { $0.isMultiple(of: 20) }.record(
      demand: .max(count))

    #expect(recorder.values == Array([20, 40, 60, 80, 100].prefix(count)))
  }

  @Test("A filter of a filter is one stage, and stops at the first false predicate")
  func fuses() {
    var asked: [Int] = []
    let filtered = Publishers.Filter(upstream: (1...4).publisher) { $0 > 2 }.filter { value in
      asked.append(value)
      return value != 3
    }

    let recorder = filtered.record()

    #expect("\(type(of: filtered))" == "Filter<Sequence<ClosedRange<Int>, Never>>")
    #expect(recorder.values == [4])
    #expect(asked == [3, 4])
  }
}
