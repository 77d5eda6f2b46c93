import Streams
import StreamsTesting
import Testing

@Suite("`retry`", .leavesNothing)
struct RetryTests {
  @Test("`retry` without a limit, or with a negative one, never stops retrying", arguments: [-1, nil])
  func endless(_ retries: Int?) {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = Publishers.Retry(upstream: script, retries: retries).record()

    for _ in 0..<100 { script.end(.failure(Problem(code: 1))) }

    #expect(script.sessions.count == 101)
    #expect(recorder.completions.isEmpty)
  }
}
