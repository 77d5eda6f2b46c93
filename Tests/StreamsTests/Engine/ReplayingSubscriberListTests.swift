import Streams
import StreamsTesting
import Testing

@Suite("`SubscriberList`: replay", .leavesNothing)
struct ReplayingSubscriberListTests {
  private typealias Listener = Recorder<Int, Never>

  @Test("A replaying list sends a new subscriber the latest value at its first request")
  func replays() {
    let subscribers = SubscriberList<Int, Never>("Test", replaying: 0)
    let listener = Listener(demand: .none)
    subscribers.send(1)
    subscribers.add(listener)
    #expect(listener.values.isEmpty)

    listener.request(.max(1))

    #expect(listener.values == [1])
  }

  @Test("A replaying list keeps only the newest value for a subscriber without demand")
  func conflates() {
    let subscribers = SubscriberList<Int, Never>("Test", replaying: 0)
    let listener = Listener(demand: .max(1))
    subscribers.add(listener)

    subscribers.send(1)
    subscribers.send(2)
    listener.request(.max(5))
    subscribers.send(3)

    #expect(listener.values == [0, 2, 3])
  }

  @Test("A replaying list sends no value twice to the same subscriber")
  func noRepeats() {
    let subscribers = SubscriberList<Int, Never>("Test", replaying: 0)
    let listener = Listener(demand: .max(1))
    subscribers.add(listener)

    listener.request(.max(1))
    listener.request(.max(1))

    #expect(listener.values == [0])
  }

  @Test("A replaying list skips a value older than the subscriber's last one")
  func neverStale() {
    let subscribers = SubscriberList<Int, Never>("Test", replaying: 0)
    let (first, second) = (Listener(), Listener())
    first.onValue = { _, value in
      if value == 1 { subscribers.send(2) }
    }
    subscribers.add(first)
    subscribers.add(second)

    subscribers.send(1)

    #expect(first.values == [0, 1, 2])
    #expect(second.values == [0, 2])
  }

  @Test("A replaying list sends the current value once to a subscriber that joins inside its delivery")
  func joinsDuringDelivery() {
    let subscribers = SubscriberList<Int, Never>("Test", replaying: 0)
    let (listener, newcomer) = (Listener(), Listener())
    listener.onValue = { _, value in
      if value == 1 { subscribers.add(newcomer) }
    }
    subscribers.add(listener)

    subscribers.send(1)

    #expect(newcomer.values == [1])
  }

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
