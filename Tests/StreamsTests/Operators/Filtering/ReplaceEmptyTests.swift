import Streams
import StreamsTesting
import Testing

@Suite("`replaceEmpty`", .leavesNothing)
struct ReplaceEmptyTests {
  @Test("`replaceEmpty` sends its value only if upstream finishes without one")
  func replaces() {
    let (empty, full) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let (first, second) = (empty.replaceEmpty(with: 9).record(), full.replaceEmpty(with: 9).record())

    empty.end()
    full.say(1)
    full.end()

    #expect(first.events == [.subscription, .value(9), .completion(.finished)])
    #expect(second.events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test("`replaceEmpty` sends its value only on demand")
  func waits() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.replaceEmpty(with: 9).record(demand: .none)

    script.end()
    let early = recorder.events
    recorder.request(.max(1))

    #expect(early == [.subscription])
    #expect(recorder.events == [.subscription, .value(9), .completion(.finished)])
  }

  @Test("`replaceEmpty` forwards a failure without sending its value")
  func fails() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.replaceEmpty(with: 9).record(demand: .none)

    script.end(.failure(Problem(code: 1)))

    #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 1)))])
  }

  @Test("`replaceEmpty` is equal to another one with the same upstream and value")
  func equality() {
    let values = [1].publisher

    #expect(values.replaceEmpty(with: 1) == values.replaceEmpty(with: 1))
    #expect(values.replaceEmpty(with: 1) != values.replaceEmpty(with: 2))
  }
}

@Suite("`ignoreOutput`", .leavesNothing)
struct IgnoreOutputTests {
  @Test("`ignoreOutput` requests unlimited demand, and forwards only the completion")
  func ignores() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.ignoreOutput().record(demand: .none)

    script.say(1, 2)
    let early = recorder.events.count
    script.end(.failure(Problem(code: 1)))

    #expect(script.demands == [.unlimited])
    #expect(early == 1)
    #expect(recorder.completions == [.failure(Problem(code: 1))])
  }
}
