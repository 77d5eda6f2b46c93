import Streams
import StreamsTesting
import Testing

@Suite("`Optional.Publisher`", .leavesNothing)
struct OptionalPublisherTests {
  @Test("An optional's publisher sends its value on demand, then finishes")
  func sends() {
    let recorder = Optional(7).publisher.record(demand: .none)
    let before = recorder.events

    recorder.request(.max(1))
    recorder.request(.max(1))

    #expect(before == [.subscription])
    #expect(recorder.events == [.subscription, .value(7), .completion(.finished)])
    #expect("\(recorder.subscriptions[0])" == "Optional")
  }

  @Test("An optional's publisher without a value finishes at once")
  func finishes() {
    let recorder = Int?.none.publisher.record(demand: .none)

    #expect(recorder.events == [.subscription, .completion(.finished)])
    #expect("\(recorder.subscriptions[0])" == "Empty")
  }

  @Test("An optional's publisher sends neither value nor completion after cancellation")
  func cancels() {
    let early = Optional(7).publisher.record(demand: .none)
    early.cancel()
    early.request(.max(1))
    let late = Optional(7).publisher.record { $0.onValue = { recorder, _ in recorder.cancel() } }

    #expect(early.events == [.subscription])
    #expect(late.events == [.subscription, .value(7)])
  }

  @Test("Two optionals' publishers are equal if their values are equal or both nil")
  func equality() {
    #expect(Optional(1).publisher == Optional<Int>.Publisher(1))
    #expect(Optional(1).publisher != Int?.none.publisher)
    #expect(Int?.none.publisher == Optional<Int>.Publisher(nil))
    #expect(Optional(1).publisher.output == 1)
  }

  @Test("An optional's publisher traps on zero demand")
  func zeroDemand() async {
    await #expect(processExitsWith: .failure) { Optional(1).publisher.record(demand: .none).request(.none) }
  }
}
