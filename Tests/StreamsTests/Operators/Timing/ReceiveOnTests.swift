import Foundation
import Streams
import StreamsTesting
import Testing

@Suite("`receive(on:)`", .leavesNothing)
struct ReceiveOnTests {
  @Test("`receive(on:)` schedules a job for each signal, in order")
  func hops() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.receive(on: scheduler).record()

    script.say(1, 2)
    script.end()
    let before = recorder.events
    let pending = scheduler.pending
    scheduler.advance()

    #expect(before == [.subscription])
    #expect(pending == 3)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .completion(.finished)])
  }

  @Test("`receive(on:)` delivers synchronously on an immediate scheduler, even inside a delivery")
  func immediate() {
    let subject = PassthroughSubject<Int, Never>()
    let first = subject.receive(on: ImmediateScheduler.shared).record { recorder in
      recorder.onValue = { [unowned subject] _, value in
        if value < 3 { subject.send(value + 1) }
      }
    }

    subject.send(1)
    subject.send(completion: .finished)

    #expect(first.events == [.subscription, .value(1), .value(2), .value(3), .completion(.finished)])
  }

  @Test("`receive(on:)` does not recurse on an immediate scheduler")
  func immediateDepth() {
    let recorder = Recorder<Int, Never>(demand: .max(1), answering: .max(1))

    (0..<20_000).publisher.receive(on: ImmediateScheduler.shared).subscribe(recorder)

    #expect(recorder.values.count == 20_000)
    #expect(recorder.completions == [.finished])
  }

  @Test("`receive(on:)` delivers a burst of values in one job on a queue")
  func batches() {
    let queue = Queue()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.receive(on: queue).record()

    for value in 0..<200 { subject.send(value) }
    subject.send(completion: .finished)
    let jobs = queue.jobs.count
    queue.runNext()
    let delivered = recorder.values.count
    let rest = queue.jobs.count
    queue.runAll()

    #expect(jobs == 1)
    #expect(delivered == 200)
    #expect(rest == 0)
    #expect(recorder.values == Array(0..<200))
    #expect(recorder.completions == [.finished])
  }

  @Test("`receive(on:)` schedules a new job for values that arrive during a burst")
  func batchesGrow() {
    let queue = Queue()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.receive(on: queue).record { recorder in
      recorder.onValue = { [unowned subject] _, value in
        if value == 1 { subject.send(2) }
      }
    }

    subject.send(1)
    queue.runNext()
    let between = (recorder.values, queue.jobs.count)
    subject.send(3)
    queue.runNext()

    #expect(between == ([1], 1))
    #expect(recorder.values == [1, 2, 3])
  }

  @Test(
    "`receive(on:)` delivers at most 256 values in one job on a queue",
    arguments: [(256, 1, 256), (257, 2, 256), (512, 2, 256), (513, 3, 256)])
  func batchBounds(_ count: Int, _ jobs: Int, _ first: Int) {
    let queue = Queue()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.receive(on: queue).record()

    for value in 0..<count { subject.send(value) }
    let scheduled = queue.jobs.count
    queue.runNext()
    let delivered = recorder.values.count
    queue.runAll()
    subject.send(count)
    let after = queue.jobs.count
    queue.runAll()

    #expect(scheduled == jobs)
    #expect(delivered == first)
    #expect(after == 1)
    #expect(recorder.values == Array(0...count))
    recorder.cancel()
  }

  @Test("`receive(on:)` schedules no job after cancellation")
  func noJobAfterCancelling() {
    let queue = Queue()
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.receive(on: queue).record()

    recorder.cancel()
    script.say(1)
    let afterValue = queue.jobs.count
    script.end()

    #expect(afterValue == 0)
    #expect(queue.jobs.isEmpty)
    #expect(recorder.events == [.subscription])
  }

  @Test("`receive(on:)` ignores what upstream sends after its completion")
  func afterTheEnd() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.receive(on: scheduler).record()

    script.say(1)
    script.end()
    script.say(2)
    script.end(.failure(Problem(code: 1)))
    let pending = scheduler.pending
    scheduler.advance()

    #expect(pending == 2)
    #expect(recorder.events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test("`receive(on:)` drops the rest of a burst when it is cancelled")
  func batchCancelled() {
    let queue = Queue()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.receive(on: queue).record { recorder in
      recorder.onValue = { recorder, value in
        if value == 1 { recorder.cancel() }
      }
    }

    for value in 0..<5 { subject.send(value) }
    queue.runAll()

    #expect(recorder.values == [0, 1])
    #expect(queue.jobs.isEmpty)
  }

  @Test("`receive(on:)` releases its scheduled values when it is cancelled")
  func releases() {
    let scheduler = VirtualScheduler.virtual
    let leaked = Lifetimes.leaks { lifetimes in
      let subject = PassthroughSubject<Probe, Never>()
      let recorder = lifetimes.track(subject.receive(on: scheduler).record(), as: "recorder")
      subject.send(lifetimes.probe("value"))
      recorder.cancel()
    }

    #expect(leaked.isEmpty)
    #expect(scheduler.pending == 1)
  }

  @Test("`receive(on:)` releases the rest of a burst when it is cancelled inside that")
  func releasesTheRest() {
    let queue = Queue()
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<Probe, Never>()
    let recorder = subject.receive(on: queue).record { $0.onValue = { recorder, _ in recorder.cancel() } }

    for name in ["delivered", "left"] { subject.send(lifetimes.probe(name)) }
    queue.runNext()

    #expect(recorder.values.count == 1)
    #expect(lifetimes.living == ["delivered"])
  }

  // MARK: Jobs that run at the same time

  @Test("A job of `receive(on:)` that finds another delivering leaves its value to that, and no later one")
  func busy() {
    let queue = Queue(isBatching: false)
    let script = Script(Int.self, failure: Problem.self)
    let (thread, others) = (pthread_self(), Guarded(0))
    let recorder = script.receive(on: queue).record { recorder in
      recorder.onValue = { _, value in
        if pthread_self() != thread { others.withLock { $0 += 1 } }
        if value < 3 { queue.runElsewhere(1) }
      }
    }
    script.say(1, 2, 3, 4)

    queue.runNext()
    let first = (recorder.values, queue.jobs.count)
    queue.runElsewhere(1)

    #expect(first == ([1, 2, 3], 1))
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(others.withLock { $0 } == 1)
    recorder.cancel()
  }

  @Test(
    "A job of `receive(on:)` delivers at most 256 values for others, and schedules one job for the rest",
    arguments: [
      (count: 257, delivered: 257, jobs: 0), (258, 257, 1), (600, 257, 1),
    ])
  func bounds(_ row: (count: Int, delivered: Int, jobs: Int)) {
    let queue = Queue(isBatching: false)
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.receive(on: queue).record { recorder in
      recorder.onValue = { _, value in
        if value == 0 { queue.runElsewhere(row.count - 1) }
      }
    }
    for value in 0..<row.count { subject.send(value) }

    queue.runNext()
    let first = (recorder.values.count, queue.jobs.count)
    queue.runAll()

    #expect(first == (row.delivered, row.jobs))
    #expect(recorder.values == Array(0..<row.count))
    recorder.cancel()
  }

  @Test("A job of `receive(on:)` that cancels schedules no job for the rest")
  func cancelledWhileBusy() {
    let queue = Queue(isBatching: false)
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.receive(on: queue).record { recorder in
      recorder.onValue = { recorder, _ in
        queue.runElsewhere(599)
        recorder.cancel()
      }
    }
    for value in 0..<600 { subject.send(value) }

    queue.runNext()

    #expect(queue.jobs.isEmpty)
    #expect(recorder.values == [0])
  }

  @Test("`receive(on:)` has Combine's name")
  func names() {
    let scheduler = VirtualScheduler.virtual

    #expect("\(Just(1).receive(on: scheduler).record().subscriptions[0])" == "ReceiveOn")
  }
}

/// A queue whose jobs are run by hand, one by one. It says of itself whether nobody counts them.
private final class Queue: Scheduler, BatchingScheduler {
  let isBatching: Bool
  private(set) var jobs: [() -> Void] = []

  init(isBatching: Bool = true) { self.isBatching = isBatching }

  var now: VirtualTime { VirtualTime() }
  var minimumTolerance: VirtualTime.Stride { 0 }

  func runNext() {
    if !jobs.isEmpty { jobs.removeFirst()() }
  }

  /// Runs some jobs on another thread, while the caller waits.
  func runElsewhere(_ count: Int) {
    nonisolated(unsafe) let queue = self  // the caller waits
    elsewhere { for _ in 0..<count { queue.runNext() } }
  }

  func runAll() {
    while !jobs.isEmpty { runNext() }
  }

  func schedule(options _: Never?, _ action: @escaping () -> Void) { jobs.append(action) }

  func schedule(
    after _: VirtualTime, tolerance _: VirtualTime.Stride, options _: Never?, _ action: @escaping () -> Void
  ) {
    jobs.append(action)
  }

  func schedule(
    after _: VirtualTime, interval _: VirtualTime.Stride, tolerance _: VirtualTime.Stride, options _: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    jobs.append(action)
    return Subscriptions.empty
  }
}
