import Streams
import StreamsTesting
import Testing

@Suite("SubscriberList that replays", .leavesNothing)
struct ReplayingSubscriberListTests {
  private typealias Listener = Recorder<Int, Never>

  @Test("gives a newcomer the latest value as soon as it asks")
  func replays() {
    let subscribers = SubscriberList<Int, Never>("Test", replaying: 0)
    let listener = Listener(demand: .none)
    subscribers.send(1)
    subscribers.add(listener)
    #expect(listener.values.isEmpty)

    listener.request(.max(1))

    #expect(listener.values == [1])
  }

  @Test("gives one who has not asked the newest value only")
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

  @Test("gives nobody the same value twice")
  func noRepeats() {
    let subscribers = SubscriberList<Int, Never>("Test", replaying: 0)
    let listener = Listener(demand: .max(1))
    subscribers.add(listener)

    listener.request(.max(1))
    listener.request(.max(1))

    #expect(listener.values == [0])
  }

  @Test("gives nobody a value that is older than one it has")
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

  @Test("gives who comes during a delivery that value, once")
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

  @Test("gives who comes elsewhere during a delivery the value that is latest then")
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

    #expect(newcomer.values == [1, 2])
  }

  @Test("replays a value that is nil")
  func optionals() {
    let subscribers = SubscriberList<Int?, Never>("Test", replaying: .some(nil))
    let listener = Recorder<Int?, Never>()

    subscribers.add(listener)

    #expect(listener.values == [nil])
  }
}
