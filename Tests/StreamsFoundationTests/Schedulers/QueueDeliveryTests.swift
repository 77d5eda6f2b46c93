import Dispatch
import Streams
import StreamsExtras
import StreamsFoundation
import Testing

/// An operator that delivers everything on a queue.
private struct OnQueue: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let make: @Sendable (PassthroughSubject<Int, Never>, DispatchQueue) -> AnyPublisher<Int, Never>

  init(
    _ name: String,
    make: @escaping @Sendable (PassthroughSubject<Int, Never>, DispatchQueue) -> any Publisher<Int, Never>
  ) {
    testDescription = name
    self.make = { make($0, $1).eraseToAnyPublisher() }
  }

  static let all = [
    OnQueue("receive(on:)") { $0.receive(on: $1) },
    OnQueue("delay") { $0.delay(for: .microseconds(20), scheduler: $1) },
    OnQueue("timeout") { $0.timeout(.seconds(1000), scheduler: $1) },
    OnQueue("debounce") { $0.debounce(for: .zero, scheduler: $1) },
    OnQueue("debounce that flushes") { $0.debounce(for: .zero, scheduler: $1, flushesOnCompletion: true) },
    OnQueue("throttle") { $0.throttle(for: .microseconds(20), scheduler: $1, latest: true) },
    OnQueue("throttle that reduces") {
      $0.throttle(for: .microseconds(20), scheduler: $1) { ($0 ?? 0) &+ $1 }
    },
    OnQueue("collect, by time") { $0.collect(.byTime($1, .microseconds(20))).map(\.count) },
    OnQueue("collect, by time or count") {
      $0.collect(.byTimeOrCount($1, .microseconds(20), 10)).map(\.count)
    },
  ]
}

/// How many signals arrived on the queue and elsewhere, and how many at once.
private struct Seen {
  var (on, off, inside, most) = (0, 0, 0, 0)

  mutating func begin(on isOn: Bool) {
    if isOn { on += 1 } else { off += 1 }
    inside += 1
    most = max(most, inside)
  }
}

@Suite("Delivery on a queue")
struct QueueDeliveryTests {
  @Test(
    "An operator delivers on its queue only, and one signal at a time, while several threads send",
    arguments: OnQueue.all, [true, false])
  private func delivers(_ row: OnQueue, isSerial: Bool) {
    let queue = DispatchQueue(label: "tested", attributes: isSerial ? [] : .concurrent)
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let seen = Guarded(Seen())
    let ended = DispatchSemaphore(value: 0)
    let subject = PassthroughSubject<Int, Never>()
    func note() {
      let isOn = DispatchQueue.getSpecific(key: key) == true
      seen.withLock { $0.begin(on: isOn) }
      seen.withLock { $0.inside -= 1 }
    }
    let cancellable = row.make(subject, queue).sink(
      receiveCompletion: { _ in
        note()
        ended.signal()
      }, receiveValue: { _ in note() }, isolation: nil)

    DispatchQueue.concurrentPerform(iterations: 3) { _ in
      for value in 0..<10_000 { subject.send(value) }
    }
    subject.send(completion: .finished)

    #expect(ended.comes())
    let result = seen.withLock { $0 }
    #expect(result.off == 0)
    #expect(result.on > 0)
    #expect(result.most == 1)
    cancellable.cancel()
  }
}
