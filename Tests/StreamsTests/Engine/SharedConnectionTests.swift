import Streams
import StreamsTesting
import Testing

@Suite("`SharedConnection`", .leavesNothing)
struct SharedConnectionTests {
  @Test("`SharedConnection` connects for the first subscriber only")
  func connectsOnce() {
    let shared = SharedConnection()

    let withoutSubscribers = shared.newConnection()
    shared.join()
    let first = shared.newConnection()
    shared.join()
    let second = shared.newConnection()

    #expect(withoutSubscribers == nil)
    #expect(first != nil)
    #expect(second == nil)
    shared.end()
  }

  @Test("`SharedConnection` connects once each output has its minimum of subscribers")
  func groups() {
    let shared = SharedConnection(groups: 2, minimum: 2)

    for group in [0, 0, 1] { shared.join(group) }
    let early = shared.newConnection()
    shared.join(1)

    #expect(early == nil)
    #expect(shared.newConnection() != nil)
    shared.end()
  }

  @Test("`SharedConnection` disconnects with the last subscriber, and reconnects for the next")
  func reconnects() {
    let shared = SharedConnection()
    let upstream = SubscriptionRecorder()
    shared.join()
    shared.join()
    let connection = shared.newConnection()
    connection?.attach(upstream)

    shared.leave()
    let early = upstream.asks
    let isOver = shared.leave()
    let joins = shared.join()
    let next = shared.newConnection()

    #expect(early.isEmpty)
    #expect(upstream.asks == [.cancel])
    #expect(connection?.isOpen == false)
    #expect(!isOver)
    #expect(joins)
    #expect(next != nil)
    #expect(next !== connection)
    shared.end()
  }

  @Test("`SharedConnection` accepts no subscriber after disconnecting if it must not reconnect")
  func once() {
    let shared = SharedConnection(reconnects: false)
    let upstream = SubscriptionRecorder()
    shared.join()
    shared.newConnection()?.attach(upstream)

    let isOver = shared.leave()

    #expect(isOver)
    #expect(upstream.asks == [.cancel])
    #expect(!shared.join())
  }

  @Test("`SharedConnection` delays its disconnection, and stays connected if a subscriber returns")
  func waits() {
    var pending: [() -> Void] = []
    var cancelled = 0
    let shared = SharedConnection(wait: { end in
      pending.append(end)
      return AnyCancellable { cancelled += 1 }
    })
    let upstream = SubscriptionRecorder()
    shared.join()
    shared.newConnection()?.attach(upstream)

    shared.leave()
    shared.join()
    let afterReturn = cancelled
    shared.leave()
    let before = upstream.asks
    pending.last?()

    #expect(afterReturn == 1)
    #expect(pending.count == 2)
    #expect(before.isEmpty)
    #expect(upstream.asks == [.cancel])
    pending = []
  }

  @Test("`SharedConnection` ends its wait at once if a subscriber joins while the wait begins")
  func joinedWhileWaiting() {
    var shared: SharedConnection?
    let wait = SubscriptionRecorder()
    shared = SharedConnection(wait: { _ in
      shared?.join()
      return wait
    })
    let upstream = SubscriptionRecorder()
    shared?.join()
    shared?.newConnection()?.attach(upstream)

    shared?.leave()

    #expect(wait.asks == [.cancel])
    #expect(upstream.asks.isEmpty)
    shared?.end()
    shared = nil
  }

  @Test("`SharedConnection` stays connected if its wait ends while a subscriber is there")
  func endsWaitLate() {
    var end: (() -> Void)?
    let shared = SharedConnection(wait: {
      end = $0
      return Subscriptions.empty
    })
    let upstream = SubscriptionRecorder()
    shared.join()
    shared.newConnection()?.attach(upstream)
    shared.leave()
    shared.join()

    end?()
    let attended = upstream.asks
    shared.leave()
    end?()

    #expect(attended.isEmpty)
    #expect(upstream.asks == [.cancel])
    end = nil
  }

  @Test("`SharedConnection` passes on a request that comes before its upstream has arrived")
  func asksBetween() {
    let shared = SharedConnection()
    let upstream = SubscriptionRecorder()
    shared.join()
    let connection = shared.newConnection()

    shared.subscriberDidRequest()
    connection?.attach(upstream)
    shared.subscriberDidRequest()

    #expect(upstream.asks == [.request(.unlimited)])
    shared.end()
  }

  @Test("`SharedConnection` requests unlimited demand once, before or after it is connected")
  func asks() {
    let (early, late) = (SubscriptionRecorder(), SubscriptionRecorder())
    let (first, second) = (SharedConnection(), SharedConnection())

    first.join()
    first.subscriberDidRequest()
    first.newConnection()?.attach(early)
    first.subscriberDidRequest()
    second.join()
    second.newConnection()?.attach(late)
    let before = late.asks
    second.subscriberDidRequest()
    second.subscriberDidRequest()

    #expect(early.asks == [.request(.unlimited)])
    #expect(before.isEmpty)
    #expect(late.asks == [.request(.unlimited)])
    first.end()
    second.end()
  }

  @Test("`SharedConnection` discards the request when the last subscriber leaves")
  func forgetsTheRequest() {
    let shared = SharedConnection()
    let upstream = SubscriptionRecorder()

    shared.join()
    shared.subscriberDidRequest()
    shared.leave()
    shared.join()
    shared.newConnection()?.attach(upstream)

    #expect(upstream.asks.isEmpty)
    shared.end()
  }

  @Test("`SharedConnection` cancels an upstream that arrives after the last subscriber has left")
  func lateUpstream() {
    let shared = SharedConnection()
    let upstream = SubscriptionRecorder()
    shared.join()
    let connection = shared.newConnection()

    shared.leave()
    connection?.attach(upstream)

    #expect(upstream.asks == [.cancel])
  }

  @Test("`SharedConnection` cancels a second upstream")
  func secondUpstream() {
    let shared = SharedConnection()
    let (first, second) = (SubscriptionRecorder(), SubscriptionRecorder())
    shared.join()
    let connection = shared.newConnection()

    connection?.attach(first)
    connection?.attach(second)

    #expect(first.asks.isEmpty)
    #expect(second.asks == [.cancel])
    shared.end()
  }

  @Test("`SharedConnection` neither cancels upstream at the completion nor connects again")
  func ends() {
    let shared = SharedConnection()
    let upstream = SubscriptionRecorder()
    shared.join()
    let connection = shared.newConnection()
    connection?.attach(upstream)

    let isFirst = connection?.close()
    shared.end()
    shared.join()
    let next = shared.newConnection()

    #expect(isFirst == true)
    #expect(connection?.close() == false)
    #expect(upstream.asks.isEmpty)
    #expect(next == nil)
  }

  @Test("`SharedConnection` cancels a new connection if the previous stream then completes")
  func endsWhileReconnecting() {
    let shared = SharedConnection()
    let (first, second) = (SubscriptionRecorder(), SubscriptionRecorder())
    shared.join()
    let ending = shared.newConnection()
    ending?.attach(first)

    _ = ending?.close()
    shared.leave()
    shared.join()
    shared.newConnection()?.attach(second)
    shared.end()

    #expect(first.asks.isEmpty)
    #expect(second.asks == [.cancel])
  }
}
