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

  func subscribe(to keeper: Keeper) {
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

  private func record<P: Publisher>(_ publisher: P) {
    publisher.subscribe(Recorder<P.Output, P.Failure>(demand: .none))
  }
}

@Suite("The subscriber passed to upstream", .leavesNothing)
struct SubscriberRoleTests {
  @Test(
    "An operator's subscriber is also a subscription that can be cancelled early, as in Combine",
    arguments: TwoSided.allCases)
  private func isSubscription(_ row: TwoSided) throws {
    let keeper = Keeper()
    row.subscribe(to: keeper)

    let subscription = try #require(keeper.subscriber as? any Subscription)
    subscription.request(.max(1))
    subscription.cancel()
    let late = SubscriptionRecorder()
    keeper.attach?(late)

    #expect(late.asks == [.cancel])
  }
}
