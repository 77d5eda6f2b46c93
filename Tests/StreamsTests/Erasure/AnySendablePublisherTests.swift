import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`AnySendablePublisher`", .leavesNothing)
struct AnySendablePublisherTests {
  @Test("`AnySendablePublisher` forwards its publisher's values to another task, within demand")
  func passes() async {
    let publisher = [1, 2, 3].publisher.eraseToAnySendablePublisher()

    let recorder = await Task.detached { publisher.record(demand: .max(2)) }.value
    let early = recorder.values
    recorder.request(.max(1))

    #expect(early == [1, 2])
    #expect(recorder.events == [.subscription, .value(1), .value(2), .value(3), .completion(.finished)])
  }

  @Test("`AnySendablePublisher` passes on the original subscription, even if it is wrapped again")
  func subscription() {
    let once = Just(1).eraseToAnySendablePublisher()

    #expect("\(once.record().subscriptions[0])" == "Just")
    #expect("\(AnySendablePublisher(AnySendablePublisher(once)).record().subscriptions[0])" == "Just")
    #expect(once.eraseToAnyPublisher().record().values == [1])
  }

  @Test("`AnySendablePublisher` is described by its own name")
  func names() {
    let publisher = Just(1).eraseToAnySendablePublisher()

    #expect("\(publisher)" == "AnySendablePublisher")
    #expect(publisher.playgroundDescription as? String == "AnySendablePublisher")
  }
}
