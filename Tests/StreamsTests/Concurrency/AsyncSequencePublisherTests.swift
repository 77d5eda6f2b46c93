import Streams
import StreamsExtras
import StreamsTesting
import Synchronization
import Testing

private enum Broken: Error { case once }

@Suite("`AsyncSequence.publisher`", .leavesNothing)
struct AsyncSequencePublisherTests {
  @Test("The publisher of an `AsyncSequence` sends every element, then finishes")
  func all() async {
    let recorder = Countdown(from: 3).publisher.record()

    #expect(await recorder.ended() == .finished)
    #expect(recorder.events == [.subscription, .value(3), .value(2), .value(1), .completion(.finished)])
  }

  @Test("The publisher of an `AsyncSequence` awaits only as many elements as requested")
  func demand() async {
    let countdown = Countdown(from: 100)
    let recorder = countdown.publisher.record(demand: .none)

    let before = countdown.steps
    recorder.request(.max(2))
    _ = await recorder.received(2)
    recorder.request(.max(1))
    _ = await recorder.received(3)

    #expect(before == 0)
    #expect(countdown.steps == 3)
    #expect(recorder.values == [100, 99, 98])
  }

  @Test(
    "The publisher of an `AsyncSequence` takes no step before `receive(subscription:)` has returned (law X19)"
  )
  func arrival() {
    let countdown = Countdown(from: 3)
    let recorder = Recorder<Int, Never>(demand: .none)
    var early: Int?
    ManualTaskExecutor.whileRunning {
      recorder.onSubscription = { recorder in
        recorder.request(.max(2))
        recorder.request(.max(1))
        ManualTaskExecutor.current?.run()
        early = countdown.steps
      }
      countdown.publisher.subscribe(recorder)
      ManualTaskExecutor.current?.run()
    }

    #expect(early == 0)
    #expect(recorder.values == [3, 2, 1])
    recorder.cancel()
  }

  @Test("The publisher of an `AsyncSequence` adds the demand returned for each value")
  func answers() async {
    let recorder = Countdown(from: 5).publisher.record(demand: .max(1)) { recorder in
      recorder.answer = { $0 == 5 ? .max(2) : $0 == 3 ? .unlimited : .none }
    }

    #expect(await recorder.ended() == .finished)
    #expect(recorder.values == [5, 4, 3, 2, 1])
  }

  @Test("The publisher of an `AsyncSequence` loses no requests of concurrent threads")
  func requests() async {
    let recorder = Countdown(from: 400).publisher.record(demand: .none)
    let ask: @Sendable () -> Void = { for _ in 0..<100 { recorder.request(.max(1)) } }

    race(ask, ask, ask, ask)
    _ = await recorder.received(400)
    recorder.request(.max(1))

    #expect(await recorder.ended() == .finished)
    #expect(recorder.values == Array((1...400).reversed()))
  }

  @Test("The publisher of an `AsyncSequence` fails with the sequence's typed error")
  func failure() async {
    let recorder = Fail<Int, Broken>(error: .once).values(throwing: Broken.self).publisher.record()

    #expect(await recorder.ended() == .failure(.once))
  }

  @Test("Cancelling the publisher of an `AsyncSequence` cancels its task and ends the values")
  func cancelled() async {
    let end = Recorder<Int, Never>()
    let (recorder, source) = listening()
    source.onTermination = { reason in _ = end.receive(reason == .cancelled ? 1 : 0) }
    source.yield(1)
    _ = await recorder.received(1)

    recorder.cancel()
    _ = await end.received(1)
    source.yield(2)

    #expect(end.values == [1])
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("The publisher of an `AsyncSequence` releases the sequence when cancelled inside a delivery")
  func cancelledInside() async {
    let end = Recorder<Int, Never>()
    let (recorder, source) = listening { $0.cancel() }
    source.onTermination = { reason in _ = end.receive(reason == .cancelled ? 1 : 0) }

    source.yield(1)
    _ = await end.received(1)

    #expect(end.values == [1])
    #expect(recorder.events == [.subscription, .value(1)])
  }

  /// Nobody but the recorder's subscription holds the stream, which ends when it is let go of.
  private func listening(
    onValue: @escaping (Recorder<Int, Never>) -> Void = { _ in }
  ) -> (Recorder<Int, Never>, AsyncStream<Int>.Continuation) {
    let (elements, source) = AsyncStream.makeStream(of: Int.self)
    let recorder = elements.publisher.record { $0.onValue = { recorder, _ in onValue(recorder) } }
    return (recorder, source)
  }

  @Test("The publisher of an `AsyncSequence` can be cancelled inside a value and before any request")
  func cancelledEarly() async {
    let early = Countdown(from: 3).publisher.record(demand: .none)
    let inside = Countdown(from: 3)
    let fence = Countdown(from: 3)

    early.cancel()
    early.request(.unlimited)
    let recorder = inside.publisher.record { $0.onValue = { recorder, _ in recorder.cancel() } }
    _ = await recorder.received(1)
    _ = await fence.publisher.record().ended()

    #expect(early.events == [.subscription])
    #expect(recorder.events == [.subscription, .value(3)])
    #expect(inside.steps == 1)
  }

  @Test("The publisher of an `AsyncSequence` starts anew for each subscriber")
  func twice() async {
    let publisher = Countdown(from: 2).publisher
    let (first, second) = (publisher.record(), publisher.record())

    _ = await (first.ended(), second.ended())

    #expect(first.values == [2, 1])
    #expect(second.values == [2, 1])
  }

  @Test("The publisher of an `AsyncSequence` leaks nothing after cancellation, completion or release")
  func lifetimes() async {
    let lifetimes = Lifetimes()
    do {
      let (elements, source) = AsyncStream.makeStream(of: Int.self)
      let cancelled = lifetimes.track(elements.publisher.record(), as: "cancelled")
      let ended = lifetimes.track(Countdown(from: 2).publisher.record(), as: "ended")
      let dropped = lifetimes.track(Countdown(from: 2).publisher.record(demand: .max(1)), as: "dropped")
      cancelled.cancel()
      _ = await (ended.ended(), dropped.received(1))
      dropped.forget()
      source.finish()
    }

    await lifetimes.gone()

    #expect(lifetimes.living.isEmpty)
  }

  @Test("The publisher of an `AsyncSequence` iterates on the configured executor")
  func executor() async {
    let executor = Counting()

    let recorder = DetachedTask.$executor.withValue(executor) { Countdown(from: 3).publisher.record() }
    _ = await recorder.ended()

    #expect(executor.jobs > 0)
  }
}

extension Lifetimes {
  /// Waits until nothing lives any more: a task lets go of what it holds a moment after it was heard of last.
  fileprivate func gone() async {
    while !living.isEmpty { await Task.yield() }
  }
}

/// Counts what it passes on.
private final class Counting: TaskExecutor {
  private let count = Atomic(0)

  var jobs: Int { count.load(ordering: .relaxed) }

  func enqueue(_ job: consuming ExecutorJob) {
    count.wrappingAdd(1, ordering: .relaxed)
    let job = UnownedJob(job)
    Task { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
