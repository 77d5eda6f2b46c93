import Streams
import StreamsTesting
import Testing

@Suite("`Result.Publisher`", .leavesNothing)
struct ResultPublisherTests {
  private typealias Outcome = Result<Int, Problem>

  @Test("A result's publisher sends its value on demand, then finishes")
  func sends() {
    let recorder = Outcome.success(7).publisher.record(demand: .none)
    let before = recorder.events

    recorder.request(.max(1))
    recorder.request(.max(1))

    #expect(before == [.subscription])
    #expect(recorder.events == [.subscription, .value(7), .completion(.finished)])
    #expect("\(recorder.subscriptions[0])" == "Once")
  }

  @Test("A result's publisher sends a failure without demand")
  func fails() {
    let recorder = Outcome.failure(Problem(code: 1)).publisher.record(demand: .none)

    #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 1)))])
    #expect("\(recorder.subscriptions[0])" == "Empty")
  }

  @Test("A result's publisher sends neither value nor completion after cancellation")
  func cancels() {
    let early = Outcome.success(7).publisher.record(demand: .none)
    early.cancel()
    early.request(.max(1))
    let late = Outcome.success(7).publisher.record { $0.onValue = { recorder, _ in recorder.cancel() } }

    #expect(early.events == [.subscription])
    #expect(late.events == [.subscription, .value(7)])
  }

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

  @Test("A result's publisher traps on zero demand")
  func zeroDemand() async {
    await #expect(processExitsWith: .failure) {
      Result<Int, Problem>.success(1).publisher.record(demand: .none).request(.none)
    }
  }
}
