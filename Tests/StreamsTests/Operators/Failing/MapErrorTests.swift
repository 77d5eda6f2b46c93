import Streams
import StreamsTesting
import Testing

@Suite("`mapError`", .leavesNothing)
struct MapErrorTests {
  @Test("`mapError` transforms the failure with its closure")
  func maps() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.mapError { Problem(code: $0.code * 2) }.record()

    script.say(1)
    script.end(.failure(Problem(code: 4)))

    #expect(recorder.events == [.subscription, .value(1), .completion(.failure(Problem(code: 8)))])
  }

  @Test("`mapError` forwards demand and a normal completion unchanged")
  func passes() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = Recorder<Int, Problem>(demand: .max(1), answering: .max(2))
    Publishers.MapError(upstream: script, transform: { Problem(code: -$0.code) }).subscribe(recorder)

    let answer = script.say(1)
    script.end()

    #expect(answer == .max(2))
    #expect(script.demands == [.max(1)])
    #expect(recorder.completions == [.finished])
  }
}
