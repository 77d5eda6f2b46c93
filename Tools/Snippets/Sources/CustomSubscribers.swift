import Foundation
import Streams

/// Asks for three at first, and for one more after each even value.
final class EvenLover: Subscriber {
  typealias Input = Int
  typealias Failure = Never

  func receive(subscription: any Subscription) {
    print("subscribed")
    subscription.request(.max(3))
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    print("got \(input)")
    return input.isMultiple(of: 2) ? .max(1) : .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    print("completed: \(completion)")
  }
}

/// Keeps its subscription, and asks when it is told to.
private final class PullSubscriber<Value, E: Error>: Subscriber, Cancellable {
  typealias Input = Value
  typealias Failure = E

  let combineIdentifier = CombineIdentifier()
  private var subscription: Subscription?
  private(set) var values: [Value] = []
  private(set) var isDone = false

  func receive(subscription: Subscription) { self.subscription = subscription }

  func receive(_ input: Value) -> Subscribers.Demand {
    values.append(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<E>) {
    isDone = true
    subscription = nil
  }

  func pull(_ count: Int) { subscription?.request(.max(count)) }

  func cancel() {
    subscription?.cancel()
    subscription = nil
  }
}

/// A struct that is a subscriber.
struct Logger: Subscriber {
  let combineIdentifier = CombineIdentifier()
  let prefix: String

  func receive(subscription: any Subscription) { subscription.request(.unlimited) }

  func receive(_ input: String) -> Subscribers.Demand {
    print("\(prefix): \(input)")
    return .none
  }

  func receive(completion: Subscribers.Completion<URLError>) {
    switch completion {
    case .finished: print("\(prefix): finished")
    case .failure(let error): print("\(prefix): failed with \(error.code.rawValue)")
    }
  }
}

@MainActor
func customSubscribers() async {
  (1...10).publisher.subscribe(EvenLover())
  [2, 4].publisher.receive(subscriber: EvenLover())

  let puller = PullSubscriber<Int, Never>()
  (1...9).publisher.map { $0 * 10 }.subscribe(puller)
  puller.pull(2)
  print(puller.values)
  puller.pull(1)
  print(puller.values, puller.isDone)
  puller.cancel()
  puller.pull(1)
  print(puller.values)

  let short = PullSubscriber<Character, any Error>()
  "ab".publisher.setFailureType(to: (any Error).self).subscribe(short)
  short.pull(2)
  print(short.values, short.isDone)

  ["one", "two"].publisher.setFailureType(to: URLError.self).subscribe(Logger(prefix: "log"))
  Fail(outputType: String.self, failure: URLError(.timedOut)).subscribe(Logger(prefix: "log"))

  let anonymous = AnySubscriber<Int, Never>(
    receiveSubscription: { $0.request(.max(2)) },
    receiveValue: { value in
      print("anonymous got \(value)")
      return .none
    },
    receiveCompletion: { _ in print("never printed") })
  (1...5).publisher.subscribe(anonymous)
  (1...2).publisher.subscribe(AnySubscriber(EvenLover()))
}
