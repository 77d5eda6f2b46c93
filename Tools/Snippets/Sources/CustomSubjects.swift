import Foundation
import Streams

/// Replays its last values, as many apps have written it.
final class ReplaySubject<Output, Failure: Error>: Subject {
  private let capacity: Int
  private var buffer: [Output] = []
  private var completion: Subscribers.Completion<Failure>?
  private var subscriptions: [ReplaySubscription<Output, Failure>] = []
  private let lock = NSRecursiveLock()

  init(capacity: Int) { self.capacity = capacity }

  func send(_ value: Output) {
    lock.lock()
    defer { lock.unlock() }
    guard completion == nil else { return }
    buffer = (buffer + [value]).suffix(capacity)
    subscriptions.forEach { $0.receive(value) }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    lock.lock()
    defer { lock.unlock() }
    guard self.completion == nil else { return }
    self.completion = completion
    subscriptions.forEach { $0.finish(with: completion) }
    subscriptions = []
  }

  func send(subscription: any Subscription) { subscription.request(.unlimited) }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    lock.lock()
    defer { lock.unlock() }
    let subscription = ReplaySubscription(AnySubscriber(subscriber))
    subscriber.receive(subscription: subscription)
    buffer.forEach(subscription.receive)
    if let completion { subscription.finish(with: completion) } else { subscriptions.append(subscription) }
  }
}

private final class ReplaySubscription<Output, Failure: Error>: Subscription {
  private var downstream: AnySubscriber<Output, Failure>?
  private var waiting: [Output] = []
  private var demand = Subscribers.Demand.none

  init(_ downstream: AnySubscriber<Output, Failure>) { self.downstream = downstream }

  func request(_ more: Subscribers.Demand) {
    demand += more
    drain()
  }

  func cancel() { downstream = nil }

  func receive(_ value: Output) {
    waiting.append(value)
    drain()
  }

  func finish(with completion: Subscribers.Completion<Failure>) {
    downstream?.receive(completion: completion)
    downstream = nil
  }

  private func drain() {
    while demand > .none, !waiting.isEmpty, let downstream {
      demand -= 1
      demand += downstream.receive(waiting.removeFirst())
    }
  }
}

/// A subject that is another with a rule.
final class Ratchet: Subject {
  typealias Output = Int
  typealias Failure = Never

  private let wrapped = CurrentValueSubject<Int, Never>(0)

  func send(_ value: Int) { if value > wrapped.value { wrapped.send(value) } }
  func send(completion: Subscribers.Completion<Never>) { wrapped.send(completion: completion) }
  func send(subscription: any Subscription) { wrapped.send(subscription: subscription) }
  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    wrapped.receive(subscriber: subscriber)
  }
}

@MainActor
func customSubjects() async {
  var cancellables = Set<AnyCancellable>()
  let replay = ReplaySubject<Int, Never>(capacity: 2)
  (1...3).forEach(replay.send)
  replay.sink(receiveCompletion: { print("early:", $0) }, receiveValue: { print("early:", $0) })
    .store(in: &cancellables)
  replay.send(4)
  replay.send(completion: .finished)
  replay.sink(receiveCompletion: { print("late:", $0) }, receiveValue: { print("late:", $0) })
    .store(in: &cancellables)

  let shared = [1, 2, 3].publisher.multicast { ReplaySubject<Int, Never>(capacity: 1) }
  shared.sink { print("replayed:", $0) }.store(in: &cancellables)
  shared.connect().store(in: &cancellables)
  shared.sink { print("afterwards:", $0) }.store(in: &cancellables)

  let ratchet = Ratchet()
  ratchet.sink { print("ratchet:", $0) }.store(in: &cancellables)
  [3, 1, 5].forEach { ratchet.send($0) }
  [4, 8].publisher.subscribe(ratchet).store(in: &cancellables)
  Just(2).sink(receiveValue: ratchet.send).store(in: &cancellables)
  ratchet.send(9)
}
