import Streams
import StreamsTesting
import Testing

@Suite("UpstreamLink")
struct UpstreamLinkTests {
  @Test("holds the first subscription, and refuses any other")
  func attaches() {
    let link = UpstreamLink()
    let first = SubscriptionRecorder()
    let second = SubscriptionRecorder()

    let isFirst = link.attach(first)
    let isSecond = link.attach(second)
    link.request(.max(2))
    let isLive = link.isLive

    #expect(isFirst)
    #expect(!isSecond)
    #expect(isLive)
    #expect(first.asks == [.request(.max(2))])
    #expect(second.asks.isEmpty)
  }

  @Test("asks nobody before there is a subscription, nor after the end")
  func asksNobody() {
    let link = UpstreamLink()
    let subscription = SubscriptionRecorder()

    link.request(.max(1))
    _ = link.attach(subscription)
    link.end()
    link.request(.max(1))
    link.cancel()
    let isLive = link.isLive

    #expect(!isLive)
    #expect(subscription.asks.isEmpty)
  }

  @Test("cancels once")
  func cancelsOnce() {
    let link = UpstreamLink()
    let subscription = SubscriptionRecorder()
    _ = link.attach(subscription)

    link.cancel()
    link.cancel()
    let isLive = link.isLive

    #expect(subscription.asks == [.cancel])
    #expect(!isLive)
  }

  @Test("refuses a subscription that comes after the cancellation")
  func refuses() {
    let link = UpstreamLink()

    link.cancel()
    let isAttached = link.attach(SubscriptionRecorder())

    #expect(!isAttached)
  }

  @Test("lets go of the subscription at the end")
  func releases() {
    let leaked = Lifetimes.leaks { lifetimes in
      let link = UpstreamLink()
      _ = link.attach(lifetimes.track(SubscriptionRecorder(), as: "subscription"))
      link.end()
      #expect(lifetimes.living.isEmpty)
    }

    #expect(leaked.isEmpty)
  }
}
