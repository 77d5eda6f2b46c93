import Foundation
import Streams
import StreamsFoundation

/// Works on a queue of its own, and publishes from there.
nonisolated private final class Sensor: @unchecked Sendable {
  private let queue = DispatchQueue(label: "sensor")
  private let subject = PassthroughSubject<Int, Never>()

  var readings: AnyPublisher<Int, Never> { subject.eraseToAnyPublisher() }

  func start(_ count: Int) {
    queue.async {
      for value in 1...count { self.subject.send(value) }
      self.subject.send(completion: .finished)
    }
  }
}

@MainActor
private final class Dashboard: ObservableObject {
  @Published private(set) var values: [Int] = []
  private var cancellables = Set<AnyCancellable>()

  func show(_ sensor: Sensor, done: @escaping () -> Void) {
    sensor.readings
      .map { $0 * 10 }
      .receive(on: DispatchQueue.main)
      .sink(receiveCompletion: { _ in done() }, receiveValue: { [weak self] in self?.values.append($0) })
      .store(in: &cancellables)
  }
}

/// Counts from many threads.
nonisolated private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  func increment() { lock.withLock { count += 1 } }
  var value: Int { lock.withLock { count } }
}

@MainActor
func background() async {
  let sensor = Sensor()
  let dashboard = Dashboard()
  await wait { done in
    dashboard.show(sensor, done: done)
    sensor.start(3)
  }
  print("shown:", dashboard.values)

  var bag = Set<AnyCancellable>()
  await wait { done in
    Deferred { Just(Thread.isMainThread) }
      .subscribe(on: DispatchQueue.global())
      .handleEvents(receiveOutput: { print("made on main:", $0) })
      .map { _ in Thread.isMainThread }
      .receive(on: RunLoop.main)
      .sink { mapped in
        print("mapped on main:", mapped, "received on main:", Thread.isMainThread)
        done()
      }
      .store(in: &bag)
  }

  // A main actor's closure, and values from elsewhere, without receive(on:).
  let events = PassthroughSubject<String, Never>()
  var received: [String] = []
  await wait { done in
    events.sink { event in
      MainActor.assertIsolated()
      received.append(event)
      if received.count == 2 { done() }
    }
    .store(in: &bag)
    Task.detached {
      events.send("from a task")
      events.send("from a task, too")
    }
  }
  print(received)

  let counter = Counter()
  let hits = PassthroughSubject<Void, Never>()
  hits.sink { @Sendable _ in counter.increment() }.store(in: &bag)
  DispatchQueue.concurrentPerform(iterations: 100) { _ in hits.send() }
  // Another thread may deliver the last ones, after a burst.
  while counter.value < 100 { await Task.yield() }
  print("hits:", counter.value)

  let state = CurrentValueSubject<Int, Never>(0)
  let group = DispatchGroup()
  for value in 1...3 { DispatchQueue.global().async(group: group) { state.value = value } }
  await wait { done in group.notify(queue: .main, execute: done) }
  print("one of three:", (1...3).contains(state.value))

  let operations = OperationQueue()
  operations.maxConcurrentOperationCount = 1
  await wait { done in
    (1...3).publisher
      .receive(on: operations)
      .map { $0 + 1 }
      .collect()
      .receive(on: DispatchQueue.main)
      .sink {
        print("through operations:", $0)
        done()
      }
      .store(in: &bag)
  }

  let queue = DispatchQueue(label: "work")
  let work = queue.schedule(after: queue.now, interval: .seconds(60)) {}
  work.cancel()
  await wait { done in queue.schedule(done) }
  print("stride:", DispatchQueue.SchedulerTimeType.Stride.milliseconds(1500).magnitude)
}
