import Streams
import StreamsTesting
import Testing

@Suite("`UpstreamHandle`", .leavesNothing)
struct UpstreamHandleTests {
  @Test("`UpstreamHandle` keeps the first subscription, and refuses any other")
  func attaches() {
    let handle = UpstreamHandle()
    let first = SubscriptionRecorder()
    let second = SubscriptionRecorder()

    let isFirst = handle.attach(first)
    let isSecond = handle.attach(second)
    handle.request(.max(2))
    let isLive = handle.isLive

    #expect(isFirst)
    #expect(!isSecond)
    #expect(isLive)
    #expect(first.asks == [.request(.max(2))])
    #expect(second.asks.isEmpty)
  }

  @Test("`UpstreamHandle` sends no request before a subscription arrives, or after the end")
  func asksNobody() {
    let handle = UpstreamHandle()
    let subscription = SubscriptionRecorder()

    handle.request(.max(1))
    _ = handle.attach(subscription)
    handle.end()
    handle.request(.max(1))
    handle.cancel()
    let isLive = handle.isLive

    #expect(!isLive)
    #expect(subscription.asks.isEmpty)
  }

  @Test("`UpstreamHandle` cancels its subscription once")
  func cancelsOnce() {
    let handle = UpstreamHandle()
    let subscription = SubscriptionRecorder()
    _ = handle.attach(subscription)

    handle.cancel()
    handle.cancel()
    let isLive = handle.isLive

    #expect(subscription.asks == [.cancel])
    #expect(!isLive)
  }

  @Test("`UpstreamHandle` refuses a subscription after cancellation")
  func refuses() {
    let handle = UpstreamHandle()

    handle.cancel()
    let isAttached = handle.attach(SubscriptionRecorder())

    #expect(!isAttached)
  }

  @Test("`UpstreamHandle` releases its subscription at the end")
  func releases() {
    let leaked = Lifetimes.leaks { lifetimes in
      let handle = UpstreamHandle()
      _ = handle.attach(lifetimes.track(SubscriptionRecorder(), as: "subscription"))
      handle.end()
      #expect(lifetimes.living.isEmpty)
    }

    #expect(leaked.isEmpty)
  }
}
