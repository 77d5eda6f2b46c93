import Streams
import StreamsTesting
import Testing

/// A publisher that keeps its subscriber, and sends nothing.
private final class Keeper: Publisher {
  typealias Output = Int
  typealias Failure = Problem

  private(set) var subscriber: Any?
  private(set) var attach: ((any Subscription) -> Void)?

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Int, Downstream.Failure == Problem {
    self.subscriber = subscriber
    attach = { subscriber.receive(subscription: $0) }
  }
}

/// Operators whose subscriber is also the subscription in Combine.
private enum TwoSided: String, CaseIterable {
  case debounce, throttle, timeout, retry, replaceError, replaceEmpty, prefixUntil, dropUntil

  /// Only the operator retains the subscriber, which is tracked.
  func subscribe(to keeper: Keeper, _ lifetimes: Lifetimes) {
    func record<P: Publisher>(_ publisher: P) {
      publisher.subscribe(
        lifetimes.track(Recorder<P.Output, P.Failure>(demand: .none), as: "downstream"))
    }

    let never = Empty<Int, Problem>(completeImmediately: false)
    switch self {
    case .debounce: record(keeper.debounce(for: 1, scheduler: VirtualScheduler.virtual))
    case .throttle: record(keeper.throttle(for: 1, scheduler: VirtualScheduler.virtual, latest: true))
    case .timeout: record(keeper.timeout(1, scheduler: VirtualScheduler.virtual))
    case .retry: record(keeper.retry(1))
    case .replaceError: record(keeper.replaceError(with: 0))
    case .replaceEmpty: record(keeper.replaceEmpty(with: 0))
    case .prefixUntil: record(keeper.prefix(untilOutputFrom: never))
    case .dropUntil: record(keeper.drop(untilOutputFrom: never))
    }
  }
}

@Suite("The subscriber passed to upstream", .leavesNothing)
struct SubscriberRoleTests {
  @Test(
    "An operator's subscriber is also a subscription that can be cancelled early, which releases downstream",
    arguments: TwoSided.allCases)
  private func isSubscription(_ row: TwoSided) throws {
    let keeper = Keeper()
    let lifetimes = Lifetimes()
    row.subscribe(to: keeper, lifetimes)

    let subscription = try #require(keeper.subscriber as? any Subscription)
    subscription.request(.max(1))
    subscription.cancel()
    let living = lifetimes.living
    let late = SubscriptionRecorder()
    keeper.attach?(late)

    #expect(living == [])
    #expect(late.asks == [.cancel])
  }

  @Test("`timeout` passes on what is requested of its subscriber")
  func passesOn() throws {
    let keeper = Keeper()
    let recorder = keeper.timeout(1, scheduler: VirtualScheduler.virtual).record(demand: .none)
    let upstream = SubscriptionRecorder()
    keeper.attach?(upstream)

    try #require(keeper.subscriber as? any Subscription).request(.max(2))

    #expect(upstream.asks == [.request(.max(2))])
    recorder.cancel()
  }
}
