import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Delays of retries", .leavesNothing)
struct RetryDelayTests {
  @Test("The delay before a retry stays between the limits, at both ends of the jitter and in the middle")
  func limits() {
    var policy = RetryPolicy(
      retries: 3, minimum: .milliseconds(1_250), maximum: .milliseconds(10_500), factor: 4, jitter: 0.2)
    let rows: [(Double, [Double])] = [
      (0, [1.25, 4, 8.4]), (0.5, [1.375, 5, 9.45]), (1, [1.5, 6, 10.5]),
    ]

    for (random, delays) in rows {
      policy.random = { random }
      #expect((0..<3).map(policy.delay) == delays)
    }
    #expect(policy.delay(beforeRetry: -1) == policy.delay(beforeRetry: 0))
  }

  @Test("A delay of zero stays zero, and no delay is shorter than the minimum or longer than the maximum")
  func extremes() {
    let zero = RetryPolicy.backoff(retries: 9, from: .zero, upTo: .seconds(5), factor: .infinity)
    let short = RetryPolicy.backoff(retries: 9, from: .seconds(2), factor: 0.5, jitter: 0)
    let still = RetryPolicy.backoff(retries: 9, from: .seconds(2), factor: -3, jitter: 0)
    let negative = RetryPolicy.backoff(retries: 9, from: .seconds(2), factor: 1, jitter: -1)
    let reversed = RetryPolicy.backoff(retries: 9, from: .seconds(7), upTo: .seconds(3))
    let long = RetryPolicy.backoff(retries: 9, from: .seconds(1), jitter: 0)

    #expect([0, 1, 5].map(zero.delay) == [0, 0, 0])
    #expect([0, 1, 5].map(short.delay) == [2, 2, 2])
    #expect([0, 1, 5].map(still.delay) == [2, 2, 2])
    #expect([0, 1, 5].map(negative.delay) == [2, 2, 2])
    #expect([0, 1, 5].map(reversed.delay) == [7, 7, 7])
    #expect([0, 5, 6].map(long.delay) == [1, 32, 60])
    #expect(long.delay(beforeRetry: .max) == 60)
    #expect(RetryPolicy.constant(retries: 1, .seconds(-3)).delay(beforeRetry: 0) == 0)
  }

  @Test("A policy has the numbers that it was created with, and does not reset its count unless told to")
  func properties() {
    let constant = RetryPolicy.constant(retries: 4, .seconds(3))
    let growing = RetryPolicy.backoff(retries: 5, from: .seconds(1))

    #expect([constant.retries, growing.retries] == [4, 5])
    #expect([constant.factor, growing.factor] == [1, 2])
    #expect([constant.jitter, growing.jitter] == [0, 0.5])
    #expect([constant.minimum, growing.minimum] == [.seconds(3), .seconds(1)])
    #expect([constant.maximum, growing.maximum] == [.seconds(3), .seconds(60)])
    #expect(!constant.resetsOnOutput && !growing.resetsOnOutput)
  }

  @Test("All failures count if the policy does not reset on output")
  func counting() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.retry(.constant(retries: 1, .zero), scheduler: scheduler).record()

    for value in 1...2 {
      script.say(value)
      script.end(.failure(Problem(code: value)))
      scheduler.advance(by: .seconds(1))
    }

    #expect(recorder.values == [1, 2])
    #expect(recorder.completions == [.failure(Problem(code: 2))])
  }

  @Test("A policy without retries lets the first failure pass, and schedules nothing")
  func none() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.retry(0, delay: .zero, scheduler: scheduler).record()
    script.end(.failure(Problem(code: 1)))

    #expect(recorder.completions == [.failure(Problem(code: 1))])
    #expect(scheduler.pending == 0)
  }

  @Test("A cancellation takes back the retry that is scheduled")
  func cancelled() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.retry(5, delay: .seconds(1), scheduler: scheduler).record()
    script.end(.failure(Problem(code: 1)))
    let before = scheduler.pending
    recorder.cancel()

    #expect([before, scheduler.pending] == [1, 0])
  }

  @Test("A cancellation when a retry is announced prevents it")
  func cancelledByAnnouncement() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    var announced: [Int] = []
    var cancel: () -> Void = {}
    let policy = RetryPolicy.constant(retries: 5, .seconds(1))
    let recorder = script.retry(
      policy, scheduler: scheduler,
      onRetry: { _, number in
        announced.append(number)
        cancel()
      }
    ).record()
    cancel = { recorder.cancel() }
    script.end(.failure(Problem(code: 1)))

    #expect(announced == [1])
    #expect(scheduler.pending == 0)
    scheduler.run()
    #expect(script.sessions.count == 1)
    cancel = {}
  }

  @Test("Without a scheduler, each failure is retried in the time of the continuous clock")
  func clock() async {
    let attempts = Guarded(0)
    let recorder = Deferred {
      attempts.withLock { $0 += 1 }
      return Fail<Int, Problem>(error: Problem(code: attempts.withLock { $0 }))
    }.retry(.constant(retries: 2, .zero)).record()

    #expect(await recorder.ended() == .failure(Problem(code: 3)))
    #expect(attempts.withLock { $0 } == 3)
  }
}

@Suite("Bounds of the operators beyond Combine", .leavesNothing)
struct BoundTests {
  @Test("A number that is too small traps")
  func tooSmall() async {
    await #expect(processExitsWith: .failure) { _ = Just(1).suffix(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(1).dropLast(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(1).share(replay: -1) }
    await #expect(processExitsWith: .failure) {
      _ = Just(1).multicast { PassthroughSubject() }.refCount(minSubscribers: 0)
    }
    await #expect(processExitsWith: .failure) { _ = Just(1).groupBy(maxGroups: 0) { $0 } }
    await #expect(processExitsWith: .failure) { _ = Just(1).flatMap(maxConcurrent: 0) { Just($0) } }
    await #expect(processExitsWith: .failure) { _ = Just(1).repeat(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(1).window(count: 0) }
    await #expect(processExitsWith: .failure) { _ = ReplaySubject<Int, Never>(bufferSize: -1) }
  }

  @Test("The smallest numbers that are allowed do not trap")
  func smallest() {
    #expect([1, 2].publisher.suffix(0).record().events == [.subscription, .completion(.finished)])
    #expect([1, 2].publisher.suffix(1).record().values == [2])
    #expect([1, 2].publisher.dropLast(0).record().values == [1, 2])
    #expect([1, 2].publisher.dropLast(1).record().values == [1])
    #expect([1, 2].publisher.share(replay: 0).record().values == [1, 2])
    let counted = [1, 2].publisher.multicast { PassthroughSubject() }.refCount(minSubscribers: 1)
    #expect(counted.record().values == [1, 2])
    #expect([1, 2].publisher.flatMap(maxConcurrent: 1) { Just($0) }.record().values == [1, 2])
    #expect([1, 2].publisher.window(count: 1).flatMap { $0.collect() }.record().values == [[1], [2]])
    #expect([1, 2].publisher.nwise(2).record().values == [[1, 2]])
    #expect([1, 2].publisher.repeat(1).record().values == [1, 2])

    let subject = ReplaySubject<Int, Never>(bufferSize: 0)
    subject.send(1)
    let recorder = subject.record()
    subject.send(2)
    #expect(recorder.values == [2])
  }

  @Test("`groupBy` with one group at most finishes it at the next key, and opens it again for its own")
  func oneGroup() {
    let script = Script(Int.self, failure: Never.self)
    var groups: [Recorder<Int, Never>] = []
    let recorder = script.groupBy(maxGroups: 1) { $0 % 2 }.record {
      $0.onValue = { _, group in groups.append(group.record()) }
    }
    script.say(1, 3, 2, 5)
    script.end()

    #expect(groups.map(\.values) == [[1, 3], [2], [5]])
    #expect(groups.map(\.completions) == [[.finished], [.finished], [.finished]])
    #expect(recorder.values.map(\.key) == [1, 0, 1])
    #expect(recorder.completions == [.finished])
  }

  @Test("A group keeps its newest values for a later subscriber, up to its buffer")
  func groupBuffer() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.groupBy(maxGroups: 1, buffer: 2) { _ in 0 }.record()
    script.say(1, 2, 3)

    #expect(recorder.values[0].record().values == [2, 3])
    #expect(script.demands == [.unlimited])
  }

  @Test("`doFinally` calls its closure once, also if the stream is cancelled at its end or by the closure")
  func finallyOnce() {
    let scripts = (0..<2).map { _ in Script(Int.self, failure: Problem.self) }
    var told: [Termination<Problem>] = []
    var cancel: () -> Void = {}
    let ended = scripts[0].doFinally { told.append($0) }
      .record { $0.onCompletion = { recorder, _ in recorder.cancel() } }
    let cancelled = scripts[1].doFinally {
      told.append($0)
      cancel()
    }.record()
    cancel = { cancelled.cancel() }

    scripts[0].end()
    ended.cancel()
    cancelled.cancel()
    cancel = {}

    #expect(told == [.finished, .cancelled])
    #expect(ended.completions == [.finished])
    #expect(cancelled.completions.isEmpty)
  }

  @Test("A shared publisher is equal to itself only")
  func equality() {
    let shared = Just(1).share(replay: 1)
    let (same, other) = (shared, Just(1).share(replay: 1))

    #expect(shared == same)
    #expect(shared != other)
    #expect(shared.scope == .forever && shared.count == 1)
  }
}
