import Interleavings
import Streams

/// A publisher of 1, 2, 3 …, that sends when it is turned on, and no more than was asked for.
final class Faucet: Publisher, @unchecked Sendable {  // one thread runs all
  typealias Output = Int
  typealias Failure = Never

  private(set) var stream: Stream?
  private let order = Order()

  func receive<Downstream: Subscriber<Int, Never>>(subscriber: Downstream) {
    let stream = Stream(subscriber, order)
    subscriber.receive(subscription: stream)
    self.stream = stream
    order.pass()
  }

  /// Sends the next value, if it was asked for.
  func run() {
    order.pass()
    stream?.run()
  }

  func finish() {
    order.pass()
    stream?.finish()
  }

  /// One call happens before the next, as the contract has it.
  final class Order {
    private let object = Explorer.shared.newObject()

    func pass() {
      Explorer.shared.acquire(object)
      Explorer.shared.release(object)
    }
  }

  final class Stream: Subscription {
    private var take: ((Int) -> Subscribers.Demand)?
    private var end: (() -> Void)?
    private var left = Subscribers.Demand.none
    private var isRunning = false
    private let order: Order
    private(set) var sent: [Int] = []
    private(set) var cancellations = 0

    init<Downstream: Subscriber<Int, Never>>(_ downstream: Downstream, _ order: Order) {
      self.order = order
      take = { downstream.receive($0) }
      end = { downstream.receive(completion: .finished) }
    }

    func request(_ demand: Subscribers.Demand) {
      Explorer.shared.checkNoLockIsHeld("a request to upstream")
      left += demand
      order.pass()
    }

    func cancel() {
      Explorer.shared.checkNoLockIsHeld("a cancellation of upstream")
      cancellations += 1
      take = nil
      end = nil
    }

    /// One at a time, like every publisher.
    func run() {
      guard !isRunning, left > .none, let take else { return }
      isRunning = true
      left -= 1
      sent.append(sent.count + 1)
      left += take(sent.count)
      isRunning = false
      order.pass()
    }

    func finish() {
      guard !isRunning else { return }
      take = nil
      end.take()?()
    }
  }
}
