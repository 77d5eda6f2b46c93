import Interleavings
import Streams

/// An operator that is not the library's.
///
/// It passes every signal on: with a subscription of its own, or, if it is transparent, with upstream's. It does so on the
/// caller's thread, or in jobs of a scheduler.
struct Foreign<Upstream: Publisher<Item, Fault>>: Publisher {
  typealias Output = Item
  typealias Failure = Fault

  private let upstream: Upstream
  private let isTransparent: Bool
  private let jobs: Jobs?

  init(_ upstream: Upstream, isTransparent: Bool = false, on jobs: Jobs? = nil) {
    self.upstream = upstream
    self.isTransparent = isTransparent
    self.jobs = jobs
  }

  func receive<Downstream: Subscriber<Item, Fault>>(subscriber: Downstream) {
    upstream.subscribe(Passing(to: subscriber, isTransparent: isTransparent, on: jobs))
  }
}

private final class Passing: Subscriber, Subscription {
  private let token = Token()
  private let isTransparent: Bool
  private let jobs: Jobs?
  private let begin: (any Subscription) -> Void
  private let take: (Item) -> Subscribers.Demand
  private let finish: (Subscribers.Completion<Fault>) -> Void
  private var upstream: (any Subscription)?

  init<Downstream: Subscriber<Item, Fault>>(to downstream: Downstream, isTransparent: Bool, on jobs: Jobs?) {
    self.isTransparent = isTransparent
    self.jobs = jobs
    begin = { downstream.receive(subscription: $0) }
    take = { downstream.receive($0) }
    finish = { downstream.receive(completion: $0) }
  }

  func receive(subscription: any Subscription) {
    if isTransparent { return begin(subscription) }
    upstream = subscription
    begin(self)
  }

  func receive(_ item: Item) -> Subscribers.Demand {
    guard let jobs else { return take(item) }
    jobs.schedule { [take] in _ = take(item) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Fault>) {
    upstream = nil
    guard let jobs else { return finish(completion) }
    jobs.schedule { [finish] in finish(completion) }
  }

  func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }
  func cancel() { upstream.take()?.cancel() }
}
