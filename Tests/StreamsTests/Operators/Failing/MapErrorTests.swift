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
}
