import Interleavings
import Streams

/// A publisher of 1, 2, 3 …, that sends when it is turned on, and no more than was asked for.
final class Faucet: Publisher, @unchecked Sendable {  // one thread only
  typealias Output = Int
  typealias Failure = Never

  private(set) var stream: Stream?

  func receive<Downstream: Subscriber<Int, Never>>(subscriber: Downstream) {
    let stream = Stream(subscriber)
    self.stream = stream
    subscriber.receive(subscription: stream)
  }

  /// Sends the next value, if it was asked for.
  func run() { stream?.run() }
  func finish() { stream?.finish() }

  final class Stream: Subscription {
    private var take: ((Int) -> Subscribers.Demand)?
    private var end: (() -> Void)?
    private var left = Subscribers.Demand.none
    private var isRunning = false
    private(set) var sent: [Int] = []
    private(set) var cancellations = 0

    init<Downstream: Subscriber<Int, Never>>(_ downstream: Downstream) {
      take = { downstream.receive($0) }
      end = { downstream.receive(completion: .finished) }
    }

    func request(_ demand: Subscribers.Demand) {
      Explorer.shared.checkNoLockIsHeld("a request to upstream")
      left += demand
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
    }

    func finish() {
      guard !isRunning else { return }
      take = nil
      end.take()?()
    }
  }
}
