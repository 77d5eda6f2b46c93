import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`materialize`", .leavesNothing)
struct MaterializeTests {
  @Test("`materialize` sends all events as values, and `dematerialize` restores the stream")
  func bothWays() {
    let failing = Record<Int, Problem>(output: [1, 2], completion: .failure(Problem(code: 1)))
    let events = failing.materialize()

    #expect(events.record().values == [.value(1), .value(2), .failure(Problem(code: 1))])
    #expect(events.record().completions == [.finished])
    #expect(events.dematerialize().record().events == failing.record().events)
    #expect(events.values().record().values == [1, 2])
    #expect(events.failures().record().values == [Problem(code: 1)])
    #expect([1].publisher.materialize().record().values == [.value(1), .finished])
  }

  @Test("`materialize` sends the completion event only on demand")
  func demand() {
    let recorder = Fail<Int, Problem>(error: Problem(code: 1)).materialize().record(demand: .none)
    let before = recorder.events

    recorder.request(.max(1))

    #expect(before == [.subscription])
    #expect(recorder.values == [.failure(Problem(code: 1))])
  }

  @Test("`dematerialize` completes at the first completion event, and cancels upstream")
  func stops() {
    let script = Script(Event<Int, Problem>.self, failure: Never.self)
    let recorder = script.dematerialize().record()

    script.say(.value(1), .finished, .value(2))

    #expect(recorder.events == [.subscription, .value(1), .completion(.finished)])
    #expect(script.cancellations == 1)
  }
}

@Suite("Handling of failures", .leavesNothing)
struct FailureTests {
  static let failing = Record<Int, Problem>(output: [1], completion: .failure(Problem(code: 1)))

  @Test("A failure can be sent as a result, ignored, or replaced by fallbacks")
  func replaced() {
    let results = Self.failing.mapToResult().record().values
    let other = Record<Int, Problem>(output: [2], completion: .failure(Problem(code: 2)))

    #expect(results == [.success(1), .failure(Problem(code: 1))])
    #expect(
      Self.failing.ignoreFailure().record().events == [.subscription, .value(1), .completion(.finished)])
    #expect(Self.failing.ignoreFailure(completeImmediately: false).record().completions.isEmpty)
    #expect(Self.failing.ignoreFailure(setFailureType: TestFailure.self).record().values == [1])
    #expect(Self.failing.catchAndReturn(9).record().values == [1, 9])
    #expect(Self.failing.catch([other, other]).record().values == [1, 2, 2])
    #expect(Self.failing.catch([other]).record().completions == [.failure(Problem(code: 2))])
  }

  @Test("`onErrorResume` handles failures of one type, and forwards others")
  func onErrorResume() {
    let upstream = Self.failing.mapError { $0 as any Error }
    let fallback = Just(7).setFailureType(to: (any Error).self)

    let caught = upstream.onErrorResume(Problem.self) { _ in fallback }.record()
    let passed = upstream.onErrorResume(TestFailure.self) { _ in fallback }.record()

    #expect(caught.values == [1, 7])
    #expect(passed.values == [1])
    #expect(passed.completions.map(\.isFailure) == [true])
  }
}

@Suite("`retry` with a policy", .leavesNothing)
struct RetryPolicyTests {
  @Test("The delay of `RetryPolicy.backoff` has random jitter by default")
  func random() {
    let delays = Set(
      (0..<100).map { _ in RetryPolicy.backoff(retries: 1, from: .seconds(10)).delay(beforeRetry: 0) })

    #expect(delays.count > 1 && delays.allSatisfy { (10.0...15).contains($0) })
  }

  @Test("`retry` waits before each attempt, carries demand over, and forwards the last failure")
  func retries() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    var told: [Int] = []
    let recorder = script.retry(
      .backoff(retries: 2, from: .seconds(1), jitter: 0), scheduler: scheduler, onRetry: { told.append($1) }
    ).record(demand: .max(3))

    script.say(1)
    script.end(.failure(Problem(code: 1)))
    scheduler.advance(by: .milliseconds(999))
    let early = script.sessions.count
    scheduler.advance(by: .milliseconds(1))
    let demands = script.demands
    script.end(.failure(Problem(code: 2)))
    scheduler.advance(by: .seconds(2))
    script.end(.failure(Problem(code: 3)))

    #expect(early == 1)
    #expect(demands == [.max(2)])
    #expect(script.sessions.count == 3)
    #expect(told == [1, 2])
    #expect(recorder.completions == [.failure(Problem(code: 3))])
  }

  @Test("`retry` stops after a cancellation, and after a failure that its predicate rejects")
  func stops() {
    let scheduler = VirtualScheduler.virtual
    let scripts = (0..<2).map { _ in Script(Int.self, failure: Problem.self) }
    let cancelled = scripts[0].retry(5, delay: .seconds(1), scheduler: scheduler).record()
    let choosy = scripts[1].retry(.constant(retries: 5, .seconds(1)), scheduler: scheduler) { $0.code != 404 }
      .record()

    scripts[0].end(.failure(Problem(code: 1)))
    cancelled.cancel()
    scripts[1].end(.failure(Problem(code: 404)))
    scheduler.run()

    #expect(scripts.map(\.sessions.count) == [1, 1])
    #expect(choosy.completions == [.failure(Problem(code: 404))])
    #expect(scheduler.pending == 0)
  }

  @Test("`retry` counts only consecutive failures if its policy resets on output")
  func resets() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    var policy = RetryPolicy.constant(retries: 1, .zero)
    policy.resetsOnOutput = true
    let recorder = script.retry(policy, scheduler: scheduler).record()

    for value in 1...3 {
      script.say(value)
      script.end(.failure(Problem(code: 1)))
      scheduler.advance(by: .seconds(1))
    }

    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions.isEmpty)
  }
}

@Suite("`retryWhen` and `repeat`", .leavesNothing)
struct RetryWhenTests {
  @Test("`retryWhen` subscribes again when the trigger sends, and fails with the trigger")
  func trigger() {
    let script = Script(Int.self, failure: Problem.self)
    let trigger = PassthroughSubject<Void, Problem>()
    var failures: [Problem] = []
    let recorder = script.retryWhen { errors in
      errors.handleEvents(receiveOutput: { failures.append($0) }).setFailureType(to: Problem.self)
        .flatMap { _ in trigger }
    }.record(demand: .max(2))

    script.say(1)
    script.end(.failure(Problem(code: 1)))
    let before = script.sessions.count
    trigger.send()
    let demands = script.demands
    trigger.send(completion: .failure(Problem(code: 9)))

    #expect(failures == [Problem(code: 1)])
    #expect([before, script.sessions.count] == [1, 2])
    #expect(demands == [.max(1)])
    #expect(recorder.completions == [.failure(Problem(code: 9))])
  }

  @Test("`retryWhen` fails with the last upstream failure if the trigger's failure has another type")
  func triggerFailsOtherwise() {
    struct Elsewhere: Error {}
    let (script, running) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let trigger = PassthroughSubject<Void, Elsewhere>()
    let told = script.retryWhen { $0.setFailureType(to: Elsewhere.self).flatMap { _ in trigger } }.record()
    let untold = running.retryWhen { _ in Fail<Void, Elsewhere>(error: Elsewhere()) }.record()

    script.end(.failure(Problem(code: 1)))
    trigger.send(completion: .failure(Elsewhere()))
    running.say(1)
    running.end(.failure(Problem(code: 2)))

    #expect(told.completions == [.failure(Problem(code: 1))])
    #expect(untold.events == [.subscription, .value(1), .completion(.failure(Problem(code: 2)))])
  }

  @Test("`retryWhen` forwards a type-erased trigger failure that has the upstream's failure type")
  func triggerFailsWithAnything() {
    let script = Script(Int.self, failure: Problem.self)
    let trigger = PassthroughSubject<Void, any Error>()
    let recorder = script.retryWhen { $0.setFailureType(to: (any Error).self).flatMap { _ in trigger } }
      .record()

    script.end(.failure(Problem(code: 1)))
    trigger.send(completion: .failure(Problem(code: 9)))

    #expect(recorder.completions == [.failure(Problem(code: 9))])
  }

  @Test("`retryWhen` calls its closure once for each subscription")
  func perSubscription() {
    var calls = 0
    let publisher = Fail<Int, Problem>(error: Problem(code: 1)).retryWhen { errors in
      calls += 1
      return errors.prefix(3)
    }

    let recorders = [publisher.record(), publisher.record()]

    #expect(calls == 2)
    #expect(recorders.map(\.completions) == [[.finished], [.finished]])
  }

  @Test("`repeat` subscribes as often as given, carrying demand over, without deepening the stack")
  func repeats() {
    #expect([1, 2].publisher.repeat(3).record().values == [1, 2, 1, 2, 1, 2])
    #expect([1, 2].publisher.repeat().record(demand: .max(3)).values == [1, 2, 1])
    #expect([1].publisher.repeat(0).record().events == [.subscription, .completion(.finished)])
    #expect(Just(1).repeat(100_000).count().record().values == [100_000])
    #expect(FailureTests.failing.repeat(3).record().completions == [.failure(Problem(code: 1))])
  }

  @Test("`repeatWhen` subscribes again when its trigger sends a value")
  func repeatWhen() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.repeatWhen { $0.prefix(1) }.record()

    script.say(1)
    script.end()
    script.say(2)

    #expect(script.sessions.count == 2)
    #expect(recorder.values == [1])
  }

  @Test("A trigger starts no second attempt when it sends before the first one or during one")
  func oneAtATime() {
    let scripts = (0..<2).map { _ in Script(Int.self, failure: Problem.self) }
    let trigger = CurrentValueSubject<Void, Problem>(())
    let retried = scripts[0].retryWhen { _ in trigger }.record()
    let repeated = scripts[1].repeatWhen { _ in trigger }.record()
    let atFirst = scripts.map(\.sessions.count)

    trigger.send()
    let during = scripts.map(\.sessions.count)
    for script in scripts { script.say(7) }
    scripts[0].end(.failure(Problem(code: 1)))
    scripts[1].end()
    let between = scripts.map(\.sessions.count)
    trigger.send()
    trigger.send()
    for script in scripts { script.say(8) }

    #expect([atFirst, during, between] == [[1, 1], [1, 1], [1, 1]])
    #expect(scripts.map(\.sessions.count) == [2, 2])
    #expect(retried.values == [7, 8])
    #expect(repeated.values == [7, 8])
  }

  @Test("A trigger that sends several values for one failure starts one attempt")
  func severalValues() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.retryWhen { $0.flatMap { _ in [1, 2, 3].publisher } }.record()

    script.end(.failure(Problem(code: 1)))
    script.say(1)

    #expect(script.sessions.count == 2)
    #expect(recorder.values == [1])
  }

  @Test("A trigger that finishes at its subscription ends the stream before the first attempt")
  func triggerFinishesFirst() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.retryWhen { _ in Just(()) }.record()

    #expect(script.sessions.isEmpty)
    #expect(recorder.events == [.subscription, .completion(.finished)])
  }
}
