import Streams
import StreamsTesting
import Testing

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
