import Foundation
import Streams

/// Counts down as demand comes.
struct CountdownPublisher: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let start: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: CountdownSubscription(subscriber: subscriber, left: start))
  }
}

private final class CountdownSubscription<S: Subscriber>: Subscription
where S.Input == Int, S.Failure == Never {
  private var subscriber: S?
  private var left: Int
  private var demand = Subscribers.Demand.none
  private var isSending = false

  init(subscriber: S, left: Int) {
    self.subscriber = subscriber
    self.left = left
  }

  func request(_ more: Subscribers.Demand) {
    demand += more
    guard !isSending else { return }
    isSending = true
    while let subscriber, left > 0, demand > .none {
      demand -= 1
      left -= 1
      demand += subscriber.receive(left + 1)
    }
    isSending = false
    if left == 0 {
      subscriber?.receive(completion: .finished)
      subscriber = nil
    }
  }

  func cancel() {
    print("cancelled with \(left) left")
    subscriber = nil
  }
}

/// An operator that is a struct around its upstream.
struct Indexed<Upstream: Publisher>: Publisher {
  typealias Output = (offset: Int, element: Upstream.Output)
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    var offset = -1
    upstream
      .map { element -> Output in
        offset += 1
        return (offset, element)
      }
      .subscribe(subscriber)
  }
}

extension Publisher {
  func indexed() -> Indexed<Self> { Indexed(upstream: self) }
}

/// A publisher that hands over to one that it makes on the spot.
struct Dice: Publisher {
  typealias Output = Int
  typealias Failure = Never

  var seed: Int

  func receive<S: Subscriber>(subscriber: S) where S: Subscriber, Never == S.Failure, Int == S.Input {
    let rolls = sequence(state: seed) { state -> Int? in
      state = (state * 5 + 3) % 16
      return state % 6 + 1
    }
    Publishers.Sequence(sequence: rolls).receive(subscriber: subscriber)
  }
}

@MainActor
func customPublishers() async {
  _ = CountdownPublisher(start: 3).sink(
    receiveCompletion: { print("countdown:", $0) }, receiveValue: { print($0) })

  _ = CountdownPublisher(start: 5)
    .map { $0 * $0 }
    .prefix(2)
    .collect()
    .sink { print("squares:", $0) }

  _ = CountdownPublisher(start: 2)
    .zip("abc".publisher)
    .sink { print("zipped:", $0, $1) }

  let erased: AnyPublisher<Int, Never> = CountdownPublisher(start: 1).append(10).eraseToAnyPublisher()
  _ = erased.indexed().sink { print("indexed: \($0.offset) \($0.element)") }

  _ = Dice(seed: 7).first { $0 == 6 }.sink { print("rolled \($0)") }
  _ = Dice(seed: 7).prefix(while: { $0 != 6 }).count().sink { print("after \($0)") }
}
