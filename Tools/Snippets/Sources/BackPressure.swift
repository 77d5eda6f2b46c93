import Foundation
import Streams

/// Asks for as many as it is told to.
private final class Consumer: Subscriber {
  typealias Input = Int
  typealias Failure = Never

  private var subscription: (any Subscription)?
  private let name: String

  init(_ name: String) { self.name = name }

  func receive(subscription: any Subscription) { self.subscription = subscription }
  func receive(_ input: Int) -> Subscribers.Demand {
    print("\(name) got \(input)")
    return .none
  }
  func receive(completion: Subscribers.Completion<Never>) { print("\(name) is done") }

  func take(_ count: Int) { subscription?.request(.max(count)) }
}

@MainActor
func backPressure() async {
  var bag = Set<AnyCancellable>()

  // Without a buffer what nobody asked for is lost.
  let subject = PassthroughSubject<Int, Never>()
  let plain = Consumer("plain")
  subject.subscribe(plain)
  let oldest = Consumer("drop oldest")
  subject.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).subscribe(oldest)
  let newest = Consumer("drop newest")
  subject.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).subscribe(newest)
  subject.send(1)
  plain.take(1)
  for value in 2...4 { subject.send(value) }
  oldest.take(1)
  newest.take(1)
  subject.send(completion: .finished)
  oldest.take(5)
  newest.take(5)

  // The latest is kept for whoever asks later.
  let current = CurrentValueSubject<Int, Never>(0)
  let slow = Consumer("slow")
  current.subscribe(slow)
  slow.take(1)
  (1...3).forEach(current.send)
  slow.take(1)

  // Upstream is asked for what is wanted, and no more.
  let counted = Consumer("counted")
  (1...100).publisher
    .handleEvents(receiveRequest: { print("asked for", $0.max ?? -1) })
    .filter { $0.isMultiple(of: 3) }
    .subscribe(counted)
  counted.take(2)

  // One after another: the next begins when the last has ended.
  let jobs = (1...3).map { _ in PassthroughSubject<String, Never>() }
  (0..<3).publisher
    .flatMap(maxPublishers: .max(1)) { index -> PassthroughSubject<String, Never> in
      print("starting \(index)")
      return jobs[index]
    }
    .sink(receiveCompletion: { _ in print("all done") }, receiveValue: { print("job:", $0) })
    .store(in: &bag)
  jobs[1].send("too early")
  for index in jobs.indices {
    jobs[index].send("result \(index)")
    jobs[index].send(completion: .finished)
  }

  // Two at a time.
  var running = 0, most = 0
  let works = (0..<6).map { _ in PassthroughSubject<Int, Never>() }
  (0..<6).publisher
    .flatMap(maxPublishers: .max(2)) { index in
      works[index].handleEvents(
        receiveSubscription: { _ in
          running += 1
          most = max(most, running)
        },
        receiveCompletion: { _ in running -= 1 })
    }
    .collect()
    .sink { print("results:", $0, "at most", most) }
    .store(in: &bag)
  for (index, work) in works.enumerated() {
    work.send(index * index)
    work.send(completion: .finished)
  }

  // A buffer between a fast source and a slow consumer.
  let kept = Consumer("kept")
  (1...5).publisher.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).subscribe(kept)
  kept.take(3)
  kept.take(3)
}
