import Streams
import StreamsTesting
import Testing

@Suite("Optional.publisher")
struct OptionalPublisherTests {
  @Test("sends a value when it is asked, and finishes right after")
  func sends() {
    let recorder = Optional(7).publisher.record(demand: .none)
    let before = recorder.events

    recorder.request(.max(1))
    recorder.request(.max(1))

    #expect(before == [.subscription])
    #expect(recorder.events == [.subscription, .value(7), .completion(.finished)])
    #expect("\(recorder.subscriptions[0])" == "Optional")
  }

  @Test("finishes at once without a value")
  func finishes() {
    let recorder = Int?.none.publisher.record(demand: .none)

    #expect(recorder.events == [.subscription, .completion(.finished)])
    #expect("\(recorder.subscriptions[0])" == "Empty")
  }

  @Test("sends nothing after it is cancelled, not even the end")
  func cancels() {
    let early = Optional(7).publisher.record(demand: .none)
    early.cancel()
    early.request(.max(1))
    let late = Optional(7).publisher.record { $0.onValue = { recorder, _ in recorder.cancel() } }

    #expect(early.events == [.subscription])
    #expect(late.events == [.subscription, .value(7)])
  }

  @Test("is equal to another of the same value, or of none")
  func equality() {
    #expect(Optional(1).publisher == Optional<Int>.Publisher(1))
    #expect(Optional(1).publisher != Int?.none.publisher)
    #expect(Int?.none.publisher == Optional<Int>.Publisher(nil))
    #expect(Optional(1).publisher.output == 1)
  }

  @Test("traps when it is asked for nothing")
  func zeroDemand() async {
    await #expect(processExitsWith: .failure) { Optional(1).publisher.record(demand: .none).request(.none) }
  }
}
