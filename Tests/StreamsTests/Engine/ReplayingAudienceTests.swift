import Streams
import StreamsTesting
import Testing

@Suite("Audience that replays", .leavesNothing)
struct ReplayingAudienceTests {
  private typealias Listener = Recorder<Int, Never>

  @Test("gives a newcomer the latest value as soon as it asks")
  func replays() {
    let audience = Audience<Int, Never>("Test", replaying: 0)
    let listener = Listener(demand: .none)
    audience.send(1)
    audience.admit(listener)
    #expect(listener.values.isEmpty)

    listener.request(.max(1))

    #expect(listener.values == [1])
  }

  @Test("gives one who has not asked the newest value only")
  func conflates() {
    let audience = Audience<Int, Never>("Test", replaying: 0)
    let listener = Listener(demand: .max(1))
    audience.admit(listener)

    audience.send(1)
    audience.send(2)
    listener.request(.max(5))
    audience.send(3)

    #expect(listener.values == [0, 2, 3])
  }

  @Test("gives nobody the same value twice")
  func noRepeats() {
    let audience = Audience<Int, Never>("Test", replaying: 0)
    let listener = Listener(demand: .max(1))
    audience.admit(listener)

    listener.request(.max(1))
    listener.request(.max(1))

    #expect(listener.values == [0])
  }

  @Test("gives nobody a value that is older than one it has")
  func neverStale() {
    let audience = Audience<Int, Never>("Test", replaying: 0)
    let (first, second) = (Listener(), Listener())
    first.onValue = { _, value in
      if value == 1 { audience.send(2) }
    }
    audience.admit(first)
    audience.admit(second)

    audience.send(1)

    #expect(first.values == [0, 1, 2])
    #expect(second.values == [0, 2])
  }

  @Test("gives who comes during a delivery that value, once")
  func joinsDuringDelivery() {
    let audience = Audience<Int, Never>("Test", replaying: 0)
    let (listener, newcomer) = (Listener(), Listener())
    listener.onValue = { _, value in
      if value == 1 { audience.admit(newcomer) }
    }
    audience.admit(listener)

    audience.send(1)

    #expect(newcomer.values == [1])
  }

  @Test("gives who comes elsewhere during a delivery the value that is latest then")
  func joinsElsewhere() {
    let audience = Audience<Int, Never>("Test", replaying: 0)
    let (listener, newcomer) = (Listener(), Listener())
    listener.onValue = { _, value in
      guard value == 1 else { return }
      elsewhere {
        audience.admit(newcomer)
        audience.send(2)
      }
    }
    audience.admit(listener)

    audience.send(1)

    #expect(newcomer.values == [1, 2])
  }

  @Test("replays a value that is nil")
  func optionals() {
    let audience = Audience<Int?, Never>("Test", replaying: .some(nil))
    let listener = Recorder<Int?, Never>()

    audience.admit(listener)

    #expect(listener.values == [nil])
  }
}
