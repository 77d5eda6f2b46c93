import Streams
import StreamsTesting
import Testing

@Suite("`buffer`", .leavesNothing)
struct BufferTests {
  @Test("`buffer` with `keepFull` requests its size before it passes on its subscription")
  func keepsFull() {
    let journal = Journal()
    let script = Script(Int.self, failure: Problem.self, journal: journal)
    let recorder = script.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest)
      .record(demand: .none) { $0.journal = journal }

    script.say(1, 2, 3)
    recorder.request(.max(2))

    #expect(journal.has("upstream: request max(3)", before: "downstream: subscription"))
    #expect(script.demands == [.max(3), .max(2)])
    #expect(recorder.values == [1, 2])
  }

  @Test("The failure of an overflowing `buffer` does not come with a request for no values")
  func noneRequested() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { Problem(code: 7) })
      .record(demand: .none)
    script.say(1, 2)

    recorder.request(.none)
    let early = recorder.events
    recorder.request(.max(1))

    #expect(early == [.subscription])
    #expect(recorder.events == [.subscription, .value(1), .completion(.failure(Problem(code: 7)))])
  }

  @Test("`buffer` with `keepFull` requests no value more once it is cancelled inside a value")
  func cancelledInside() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).record {
      $0.onValue = { recorder, _ in recorder.cancel() }
    }

    let answer = script.say(1)
    recorder.request(.max(1))

    #expect(answer == .none)
    #expect(script.demands == [.max(2)])
    #expect(recorder.events == [.subscription, .value(1)])
  }

  @Test("`buffer` with `byRequest` requests everything, and no value besides")
  func byRequest() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).record(demand: .max(1))

    let answers = [script.say(1), script.say(2)]
    recorder.request(.max(1))

    #expect(answers == [.none, .none])
    #expect(script.demands == [.unlimited])
    #expect(recorder.values == [1, 2])
  }

  @Test(
    "Values of another thread follow those that a request delivers, and the first overflow is what fails `buffer`"
  )
  func sentElsewhere() {
    let script = Script(Int.self, failure: Problem.self), overflows = Counter()
    let recorder = script.buffer(
      size: 1, prefetch: .byRequest, whenFull: .customError { Problem(code: overflows.next()) }
    ).record(demand: .none) {
      $0.onValue = { _, value in
        guard value == 1 else { return }
        elsewhere {
          script.say(2, 3, 4, 5)
          script.end()
        }
      }
    }

    script.say(1)
    recorder.request(.max(2))
    let early = recorder.events
    recorder.request(.max(1))

    #expect(early == [.subscription, .value(1), .value(2)])
    #expect(recorder.events == early + [.value(3), .completion(.failure(Problem(code: 1)))])
  }

  @Test(
    "A `buffer` that is cancelled during a delivery makes no failure of what another thread has sent meanwhile"
  )
  func cancelledMeanwhile() {
    let script = Script(Int.self, failure: Problem.self), overflows = Counter()
    let recorder = script.buffer(
      size: 1, prefetch: .byRequest, whenFull: .customError { Problem(code: overflows.next()) }
    ).record(demand: .none) {
      $0.onValue = { recorder, _ in
        elsewhere { script.say(2, 3) }
        recorder.cancel()
      }
    }

    script.say(1)
    recorder.request(.max(1))

    #expect(recorder.events == [.subscription, .value(1)])
    #expect(overflows.next() == 1)
  }

  @Test("`buffer` ignores what arrives before the subscription")
  func early() {
    let script = Script(Int.self, failure: Problem.self)
    script.handsOverAtOnce = false
    let recorder = script.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).record()

    let answer = script.say(1)
    script.session?.handOver(script.session!.subscription)
    script.say(2)

    #expect(answer == .none)
    #expect(recorder.events == [.subscription, .value(2)])
  }

  @Test("A thread that looks at the mirror of `buffer` leaves it to others, and sees the values that wait")
  func mirror() {
    let script = Script(Int.self, failure: Problem.self), seen = Guarded([String]())
    let recorder = script.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).record(demand: .none)
    let subscription = Transfer(recorder.subscriptions[0])  // it is looked at only
    script.say(1, 2)

    elsewhere {
      let children = Mirror(reflecting: subscription.value).children.prefix(2)
      seen.withLock { $0 = children.map { "\($0.label!): \($0.value)" } }
    }
    recorder.request(.max(2))

    #expect(seen.withLock { $0 } == ["values: [1, 2]", "state: subscribed"])
    #expect(recorder.values == [1, 2])
  }

  @Test(
    "A cancelled `zip` or `combineLatest` releases its values while its subscription is held",
    arguments: [false, true])
  func joinReleases(_ isZip: Bool) {
    let lifetimes = Lifetimes()
    let (script, other) = (Script(Probe.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder =
      isZip
      ? script.zip(other).map { $0.1 }.record(demand: .none)
      : script.combineLatest(other).map { $0.1 }.record(demand: .none)
    script.say(lifetimes.probe("kept"))
    let early = lifetimes.living

    recorder.cancel()

    #expect(early == ["kept"])
    #expect(lifetimes.living == [])
  }

  @Test("A cancelled `buffer` releases its values and its closure while its subscription is held")
  func releases() {
    let lifetimes = Lifetimes()
    let script = Script(Probe.self, failure: Problem.self)
    let recorder = script.buffer(size: 2, prefetch: .byRequest, whenFull: Self.failing(lifetimes))
      .record(demand: .none)
    script.say(lifetimes.probe("kept"))
    let early = lifetimes.living

    recorder.cancel()

    #expect(early == ["closure", "kept"])
    #expect(lifetimes.living == [])
  }

  private static func failing(_ lifetimes: Lifetimes) -> Publishers.BufferingStrategy<Problem> {
    let probe = lifetimes.probe("closure")
    return .customError { withExtendedLifetime(probe) { Problem(code: 1) } }
  }

  @Test("`buffer` traps on a negative size")
  func traps() async {
    await #expect(processExitsWith: .failure) {
      _ = Just(1).buffer(size: -1, prefetch: .keepFull, whenFull: .dropNewest)
    }
  }
}

/// Counts from one.
private final class Counter: Sendable {
  private let count = Guarded(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
