import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`sink(on:)`: bursts of values", .leavesNothing)
struct BurstTests {
  private let count = 5000
  private let turns = Turns()
  private let ledger: Ledger
  private let subject = PassthroughSubject<Int, Never>()

  init() { ledger = Ledger(turns) }

  @Test("A burst of values leaves time for other work on its actor, and keeps its order")
  func fair() {
    let (seen, visits) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    let sink = subject.sink(on: ledger) { _, value in _ = seen.receive(value) }

    send(0..<count)
    visit { _ in _ = visits.receive(seen.values.count) }
    turns.runAll()

    #expect(visits.values.allSatisfy { 0 < $0 && $0 < count / 2 })
    #expect(visits.values.count == 1)
    #expect(seen.values == Array(0..<count))
    sink.cancel()
  }

  @Test("A sink that sends the next value itself still yields its actor to other work")
  func endless() {
    let (seen, visits) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    let sink = subject.sink(on: ledger) { [subject, count] _, value in
      _ = seen.receive(value)
      if value < count { subject.send(value + 1) }
    }

    send(0..<1)
    visit { _ in _ = visits.receive(seen.values.count) }
    turns.runAll()

    #expect(visits.values.allSatisfy { 0 < $0 && $0 < count / 2 })
    #expect(seen.values == Array(0...count))
    sink.cancel()
  }

  @Test("A burst of values ends when other work on the actor cancels it")
  func cancelled() {
    let (seen, visits) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    let sink = subject.sink(on: ledger) { _, value in _ = seen.receive(value) }

    send(0..<count)
    visit { _ in
      sink.cancel()
      _ = visits.receive(seen.values.count)
    }
    turns.runAll()

    #expect(visits.values == [seen.values.count])
    #expect(seen.values.count < count)
    send(0..<1)
    #expect(turns.runAll() == 0)
  }

  private func send(_ values: Range<Int>) {
    DetachedTask.$executor.withValue(AtOnce()) { for value in values { subject.send(value) } }
  }

  /// Has the actor do something when it is free.
  private func visit(_ body: @escaping @Sendable (isolated Ledger) -> Void) {
    Task(executorPreference: AtOnce()) { [ledger] in await body(ledger) }
  }
}

/// An actor whose jobs are run by the test.
private actor Ledger {
  private let turns: Turns

  init(_ turns: Turns) { self.turns = turns }

  nonisolated var unownedExecutor: UnownedSerialExecutor { turns.asUnownedSerialExecutor() }
}

/// Keeps the jobs of an actor until they are run, in the order in which they came.
private final class Turns: SerialExecutor {
  private let jobs = Guarded(RingQueue<UnownedJob>())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// - Returns: How many there were.
  @discardableResult
  func runAll() -> Int {
    var count = 0
    while let job = jobs.withLock({ $0.popFirst() }) {
      job.runSynchronously(on: asUnownedSerialExecutor())
      count += 1
    }
    return count
  }
}
