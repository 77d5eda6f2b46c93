import Streams
import StreamsTesting
import Testing

@Suite("`replaceError`", .leavesNothing)
struct ReplaceErrorTests {
  @Test("`replaceError` sends its value in place of a failure, then finishes")
  func replaces() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.replaceError(with: 9).record()

    script.say(1)
    script.end(.failure(Problem(code: 1)))

    #expect(recorder.events == [.subscription, .value(1), .value(9), .completion(.finished)])
  }

  @Test("`replaceError` sends no value if upstream finishes")
  func finishes() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.replaceError(with: 9).record(demand: .none)

    script.end()

    #expect(recorder.events == [.subscription, .completion(.finished)])
  }

  @Test("`replaceError` sends its value only on demand")
  func waits() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.replaceError(with: 9).record(demand: .max(1))

    script.say(1)
    script.end(.failure(Problem(code: 1)))
    let early = recorder.events
    recorder.request(.max(1))

    #expect(early == [.subscription, .value(1)])
    #expect(recorder.events == [.subscription, .value(1), .value(9), .completion(.finished)])
  }
}

@Suite("`assertNoFailure`", .leavesNothing)
struct AssertNoFailureTests {
  @Test("`assertNoFailure` forwards a stream that does not fail")
  func passes() {
    let recorder = [1, 2].publisher.setFailureType(to: Problem.self).assertNoFailure().record()

    #expect(recorder.events == [.subscription, .value(1), .value(2), .completion(.finished)])
  }

  @Test("`assertNoFailure` traps on a failure, and reports its prefix, error and file")
  func traps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Fail<Int, Problem>(error: Problem(code: 77)).assertNoFailure("the weather").record()
    }

    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("the weather: "))
    #expect(message.contains("Problem(code: 77)"))
    #expect(message.contains("ReplaceErrorTests.swift"))
  }
}
