import Streams
import StreamsTesting
import Testing

@Suite("Hub and Connection", .leavesNothing)
struct HubTests {
  @Test("connects for the first subscriber, and for no other")
  func connectsOnce() {
    let hub = Hub()

    let withoutSubscribers = hub.connect()
    hub.join()
    let first = hub.connect()
    hub.join()
    let second = hub.connect()

    #expect(withoutSubscribers == nil)
    #expect(first != nil)
    #expect(second == nil)
    hub.end()
  }

  @Test("disconnects when the last one leaves, and connects anew")
  func reconnects() {
    let hub = Hub()
    let upstream = SubscriptionRecorder()
    hub.join()
    hub.join()
    let connection = hub.connect()
    connection?.attach(upstream)

    hub.leave()
    let early = upstream.asks
    hub.leave()
    hub.join()
    let next = hub.connect()

    #expect(early.isEmpty)
    #expect(upstream.asks == [.cancel])
    #expect(connection?.isOpen == false)
    #expect(next != nil)
    #expect(next !== connection)
    hub.end()
  }

  @Test("asks upstream for everything, once, whenever the first request comes")
  func asks() {
    let (early, late) = (SubscriptionRecorder(), SubscriptionRecorder())
    let (first, second) = (Hub(), Hub())

    first.join()
    first.wasAsked()
    first.connect()?.attach(early)
    first.wasAsked()
    second.join()
    second.connect()?.attach(late)
    let before = late.asks
    second.wasAsked()
    second.wasAsked()

    #expect(early.asks == [.request(.unlimited)])
    #expect(before.isEmpty)
    #expect(late.asks == [.request(.unlimited)])
    first.end()
    second.end()
  }

  @Test("forgets that it was asked when the last one leaves")
  func forgetsTheRequest() {
    let hub = Hub()
    let upstream = SubscriptionRecorder()

    hub.join()
    hub.wasAsked()
    hub.leave()
    hub.join()
    hub.connect()?.attach(upstream)

    #expect(upstream.asks.isEmpty)
    hub.end()
  }

  @Test("cancels an upstream that comes after everybody has left")
  func lateUpstream() {
    let hub = Hub()
    let upstream = SubscriptionRecorder()
    hub.join()
    let connection = hub.connect()

    hub.leave()
    connection?.attach(upstream)

    #expect(upstream.asks == [.cancel])
  }

  @Test("cancels a second upstream")
  func secondUpstream() {
    let hub = Hub()
    let (first, second) = (SubscriptionRecorder(), SubscriptionRecorder())
    hub.join()
    let connection = hub.connect()

    connection?.attach(first)
    connection?.attach(second)

    #expect(first.asks.isEmpty)
    #expect(second.asks == [.cancel])
    hub.end()
  }

  @Test("connects no more after the end, which is not a cancellation")
  func ends() {
    let hub = Hub()
    let upstream = SubscriptionRecorder()
    hub.join()
    let connection = hub.connect()
    connection?.attach(upstream)

    let phase = connection?.close()
    hub.end()
    hub.join()
    let next = hub.connect()

    #expect(phase == .attached)
    #expect(connection?.close() == .closed)
    #expect(upstream.asks.isEmpty)
    #expect(next == nil)
  }

  @Test("cancels a connection that was made just before the end of another")
  func endsWhileReconnecting() {
    let hub = Hub()
    let (first, second) = (SubscriptionRecorder(), SubscriptionRecorder())
    hub.join()
    let ending = hub.connect()
    ending?.attach(first)

    _ = ending?.close()
    hub.leave()
    hub.join()
    hub.connect()?.attach(second)
    hub.end()

    #expect(first.asks.isEmpty)
    #expect(second.asks == [.cancel])
  }
}
