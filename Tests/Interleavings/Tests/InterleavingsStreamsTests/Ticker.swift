import Streams
import Synchronization

/// A publisher that sends what it is told to.
final class Ticker: Publisher, @unchecked Sendable {
  typealias Output = Int
  typealias Failure = Never

  private let isWrong: Bool
  private let current = Mutex<(any TickSubscription)?>(nil)

  init(isWrong: Bool) { self.isWrong = isWrong }

  func receive(subscriber: some Subscriber<Int, Never>) {
    let subscription: any TickSubscription =
      isWrong ? UnlockedTicks(subscriber) : LockedTicks(subscriber)
    current.withLock { $0 = subscription }
    subscriber.receive(subscription: subscription)
  }

  func tick(_ number: Int) { current.withLock { $0 }?.tick(number) }
}

private protocol TickSubscription: Subscription, Sendable {
  func tick(_ number: Int)
}

/// Its demand and its subscriber are plain variables.
private final class UnlockedTicks<S: Subscriber<Int, Never>>: TickSubscription, @unchecked Sendable {
  private var subscriber: S?
  private var demand = Subscribers.Demand.none

  init(_ subscriber: S) { self.subscriber = subscriber }

  func request(_ more: Subscribers.Demand) { demand += more }
  func cancel() { subscriber = nil }

  func tick(_ number: Int) {
    guard demand > 0, let subscriber else { return }
    demand -= 1
    demand += subscriber.receive(number)
  }
}

/// They are under a lock, and who delivers goes on with what others send meanwhile.
private final class LockedTicks<S: Subscriber<Int, Never>>: TickSubscription, @unchecked Sendable {
  private struct Delivery: @unchecked Sendable {  // under the lock
    let subscriber: S
    let number: Int
  }

  private struct State: @unchecked Sendable {  // under the lock
    var subscriber: S?
    var demand = Subscribers.Demand.none
    var waiting: [Int] = []
    var isDelivering = false
  }

  private let state: Mutex<State>

  init(_ subscriber: S) { state = Mutex(State(subscriber: subscriber)) }

  func request(_ more: Subscribers.Demand) { state.withLock { $0.demand += more } }
  func cancel() {
    let old = state.withLock { state -> State in
      defer { state.subscriber = nil }
      return state
    }
    withExtendedLifetime(old) {}
  }

  func tick(_ number: Int) {
    let isMine = state.withLock { state in
      guard state.demand > 0, state.subscriber != nil else { return false }
      state.demand -= 1
      state.waiting.append(number)
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    guard isMine else { return }
    while let delivery = next() {
      let more = delivery.subscriber.receive(delivery.number)
      state.withLock { $0.demand += more }
    }
  }

  private func next() -> Delivery? {
    state.withLock { state -> Delivery? in
      guard let subscriber = state.subscriber, !state.waiting.isEmpty else {
        state.isDelivering = false
        return nil
      }
      return Delivery(subscriber: subscriber, number: state.waiting.removeFirst())
    }
  }
}

/// Sends on, whoever cancels.
final class Stubborn: Publisher, Subscription, @unchecked Sendable {
  typealias Output = Int
  typealias Failure = Never

  private var subscriber: AnySubscriber<Int, Never>?

  func receive(subscriber: some Subscriber<Int, Never>) {
    self.subscriber = AnySubscriber(subscriber)
    subscriber.receive(subscription: self)
  }

  func request(_: Subscribers.Demand) {}
  func cancel() {}
  func tick(_ number: Int) { _ = subscriber?.receive(number) }
}
