import Streams
import StreamsTesting
import Testing

@Suite("`setFailureType`", .leavesNothing)
struct SetFailureTypeTests {
  @Test("`setFailureType` changes only the type")
  func passes() {
    let script = Script(Int.self, failure: Never.self)
    let recorder: Recorder<Int, Problem> = script.setFailureType(to: Problem.self).record(demand: .max(2))

    script.say(1, 2)
    script.end()

    #expect(script.asks == [.request(.max(2))])
    #expect(recorder.events == [.subscription, .value(1), .value(2), .completion(.finished)])
    #expect("\(recorder.subscriptions[0])" == "Script")
  }

  @Test("`setFailureType` replaces a failure type set before")
  func fuses() {
    let publisher = Just(1).setFailureType(to: Problem.self).setFailureType(to: CancellationError.self)

    #expect("\(type(of: publisher))" == "SetFailureType<Just<Int>, CancellationError>")
    #expect(publisher.record().values == [1])
  }

  @Test("`setFailureType` is equal if its upstream is equal")
  func equality() {
    #expect(Just(1).setFailureType(to: Problem.self) == Just(1).setFailureType(to: Problem.self))
    #expect(Just(1).setFailureType(to: Problem.self) != Just(2).setFailureType(to: Problem.self))
  }
}
