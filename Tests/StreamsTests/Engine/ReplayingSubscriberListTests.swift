import Streams
import StreamsTesting
import Testing

@Suite("`SubscriberList`: replay", .leavesNothing)
struct ReplayingSubscriberListTests {
  private typealias Listener = Recorder<Int, Never>

  @Test("A replaying list sends the latest value to a subscriber added by another thread")
  func joinsElsewhere() {
    let subscribers = SubscriberList<Int, Never>("Test", replaying: 0)
    let (listener, newcomer) = (Listener(), Listener())
    listener.onValue = { _, value in
      guard value == 1 else { return }
      elsewhere {
        subscribers.add(newcomer)
        subscribers.send(2)
      }
    }
    subscribers.add(listener)

    subscribers.send(1)
    waitForDeliveries()

    #expect(newcomer.values == [1, 2])
  }

  @Test("A replaying list replays a value that is nil")
  func optionals() {
    let subscribers = SubscriberList<Int?, Never>("Test", replaying: .some(nil))
    let listener = Recorder<Int?, Never>()

    subscribers.add(listener)

    #expect(listener.values == [nil])
  }
}
