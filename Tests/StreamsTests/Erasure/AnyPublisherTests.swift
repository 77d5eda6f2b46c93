import Streams
import StreamsTesting
import Testing

@Suite("`AnyPublisher`", .leavesNothing)
struct AnyPublisherTests {
  @Test("`AnyPublisher` forwards its publisher's values within demand")
  func passes() {
    let recorder = [1, 2, 3].publisher.eraseToAnyPublisher().record(demand: .max(2))

    let early = recorder.values
    recorder.request(.max(1))

    #expect(early == [1, 2])
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .completion(.finished)])
  }

  @Test("`AnyPublisher` passes on its publisher's own subscription")
  func subscription() {
    let recorder = Just(1).eraseToAnyPublisher().record()

    #expect("\(recorder.subscriptions[0])" == "Just")
  }

  @Test("`AnyPublisher` shows upstream the identifier of the subscriber")
  func identifier() {
    let upstream = IdentifierReader()
    let recorder = upstream.eraseToAnyPublisher().eraseToAnyPublisher().record()

    #expect(upstream.seen == [recorder.combineIdentifier])
  }

  @Test("`AnyPublisher` does not wrap another `AnyPublisher`")
  func wrapsOnce() {
    let upstream = IdentifierReader()
    let once = upstream.eraseToAnyPublisher()

    _ = once.record()
    _ = AnyPublisher(AnyPublisher(once)).record()

    #expect(upstream.types == ["AnySubscriber<Int, Never>", "AnySubscriber<Int, Never>"])
  }

  @Test("`AnyPublisher` is described by its own name")
  func names() {
    let publisher = Just(1).eraseToAnyPublisher()

    #expect("\(publisher)" == "AnyPublisher")
    #expect(publisher.playgroundDescription as? String == "AnyPublisher")
  }
}

/// A publisher that remembers who subscribed.
private final class IdentifierReader: Publisher {
  typealias Output = Int
  typealias Failure = Never

  private(set) var seen: [CombineIdentifier] = []
  private(set) var types: [String] = []

  func receive<Downstream: Subscriber<Int, Never>>(subscriber: Downstream) {
    seen.append(subscriber.combineIdentifier)
    types.append("\(Downstream.self)")
  }
}
