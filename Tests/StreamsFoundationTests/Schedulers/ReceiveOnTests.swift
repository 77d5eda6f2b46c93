import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsTesting
import Synchronization
import Testing

/// Real schedulers lose nothing and change no order, however they run what they are given.
@Suite("`receive(on:)`: queues and run loops")
struct ReceiveOnTests {
  static let count = 100_000

  @Test("`receive(on:)` keeps the order on a serial dispatch queue")
  func serialQueue() { check(on: DispatchQueue(label: "tested")) }

  @Test("`receive(on:)` keeps the order on a concurrent dispatch queue")
  func concurrentQueue() { check(on: DispatchQueue(label: "tested", attributes: .concurrent)) }

  @Test("`receive(on:)` keeps the order on a global dispatch queue")
  func globalQueue() { check(on: DispatchQueue.global()) }

  @Test("`receive(on:)` keeps the order on a run loop")
  func runLoop() {
    let thread = LoopThread()

    check(on: thread.loop)

    #expect(thread.stop())
  }

  @Test("`receive(on:)` keeps the order on an operation queue", arguments: [1, 4])
  func operationQueue(width: Int) {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width

    check(on: queue)
  }

  /// From a source that sends all at once, and from one that sends while others are delivered.
  private func check<Context: Scheduler>(
    on scheduler: Context, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let subject = PassthroughSubject<Int, Never>()

    let burst = Delivery(of: (0..<Self.count).publisher.receive(on: scheduler))
    let flow = Delivery(of: subject.receive(on: scheduler))
    DispatchQueue.global().async {
      for number in 0..<Self.count { subject.send(number) }
      subject.send(completion: .finished)
    }

    for delivery in [burst, flow] {
      #expect(delivery.ends(), sourceLocation: sourceLocation)
      #expect(delivery.recorder.values == Array(0..<Self.count), sourceLocation: sourceLocation)
      #expect(delivery.recorder.completions == [.finished], sourceLocation: sourceLocation)
      #expect(delivery.overlaps.load(ordering: .relaxed) == 0, sourceLocation: sourceLocation)
    }
  }
}

/// A recorder that notices when two values come at once, and can be waited for.
private final class Delivery: Sendable {
  let overlaps = Atomic(0)
  let recorder = Recorder<Int, Never>()
  private let inside = Atomic(0)
  private let end = DispatchSemaphore(value: 0)

  init(of publisher: some Publisher<Int, Never>) {
    recorder.onValue = { [unowned self] _, _ in
      if inside.add(1, ordering: .relaxed).newValue != 1 { overlaps.add(1, ordering: .relaxed) }
      inside.subtract(1, ordering: .relaxed)
    }
    recorder.onCompletion = { [end] _, _ in end.signal() }
    publisher.subscribe(recorder)
  }

  func ends() -> Bool { end.comes(within: 600) }
}
