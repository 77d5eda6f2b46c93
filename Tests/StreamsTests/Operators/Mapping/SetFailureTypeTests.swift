import Streams
import StreamsTesting
import Testing

@Suite("`setFailureType`", .leavesNothing)
struct SetFailureTypeTests {
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
