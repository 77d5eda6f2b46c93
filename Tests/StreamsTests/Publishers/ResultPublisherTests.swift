import Streams
import StreamsTesting
import Testing

@Suite("`Result.Publisher`", .leavesNothing)
struct ResultPublisherTests {
  private typealias Outcome = Result<Int, Problem>

  @Test("A result's publisher can be created from a result, a value or a failure")
  func makes() {
    let value = Outcome.Publisher(1)
    let failure = Outcome.Publisher(Problem(code: 1))

    #expect(value == Outcome.success(1).publisher)
    #expect(failure == Outcome.Publisher(.failure(Problem(code: 1))))
    #expect(value != Outcome.Publisher(2))
    #expect(value != failure)
    #expect(value.result == .success(1))
  }
}
