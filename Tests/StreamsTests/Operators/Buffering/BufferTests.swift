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

  @Test("`buffer` with `byRequest` requests unlimited demand, and delivers only what is requested")
  func byRequest() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest).record(demand: .max(1))

    let answer = script.say(1)
    script.say(2)
    let early = recorder.values
    recorder.request(.max(1))

    #expect(script.demands == [.unlimited])
    #expect(answer == .none)
    #expect(early == [1])
    #expect(recorder.values == [1, 2])
  }

  @Test(
    "A full `buffer` drops the newest or the oldest value, as configured",
    arguments: [
      (size: 2, newest: true, kept: [1, 2]),
      (size: 2, newest: false, kept: [4, 5]),
      (size: 1, newest: true, kept: [1]),
      (size: 1, newest: false, kept: [5]),
      (size: 0, newest: true, kept: []),
      (size: 0, newest: false, kept: []),
      (size: 9, newest: false, kept: [1, 2, 3, 4, 5]),
    ] as [(size: Int, newest: Bool, kept: [Int])])
  func full(_ row: (size: Int, newest: Bool, kept: [Int])) {
    let script = Script(Int.self, failure: Problem.self)
    let recorder =
      script
      .buffer(size: row.size, prefetch: .byRequest, whenFull: row.newest ? .dropNewest : .dropOldest)
      .record(demand: .none)

    for value in 1...5 { script.say(value) }
    recorder.request(.unlimited)

    #expect(recorder.values == row.kept)
  }

  @Test("An overflowing `buffer` with a custom error cancels upstream, and fails after the requested values")
  func failsWhenFull() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.buffer(size: 2, prefetch: .byRequest, whenFull: .customError { Problem(code: 7) })
      .record(demand: .none)

    script.say(1, 2, 3)
    let early = recorder.events
    recorder.request(.max(1))

    #expect(script.cancellations == 1)
    #expect(early == [.subscription])
    #expect(recorder.events == [.subscription, .value(1), .completion(.failure(Problem(code: 7)))])
  }

  @Test("`buffer` finishes after its buffered values, or at once if it is empty")
  func finishes() {
    let (script, empty) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = script.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).record(demand: .none)
    let idle = empty.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).record(demand: .none)

    script.say(1, 2)
    script.end()
    empty.end()
    let early = recorder.completions
    recorder.request(.max(1))
    let half = recorder.completions
    recorder.request(.max(1))

    #expect(early.isEmpty && half.isEmpty)
    #expect(recorder.events == [.subscription, .value(1), .value(2), .completion(.finished)])
    #expect(idle.completions == [.finished])
  }

  @Test("`buffer` fails without delivering its buffered values")
  func fails() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).record(demand: .none)

    script.say(1)
    script.end(.failure(Problem(code: 1)))

    #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 1)))])
  }

  @Test("`buffer` keeps the order of values sent inside a delivery")
  func reentrant() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.buffer(size: 5, prefetch: .byRequest, whenFull: .dropNewest).record { recorder in
      recorder.onValue = { [unowned script] _, value in
        if value == 1 { script.say(2, 3) }
      }
    }

    script.say(1)

    #expect(recorder.values == [1, 2, 3])
  }

  @Test(
    "`buffer` with `keepFull` requests exactly its size in advance, and nothing without room",
    arguments: [(0, []), (1, [.max(1)]), (2, [.max(2)])] as [(size: Int, demands: [Subscribers.Demand])])
  func inAdvance(_ row: (size: Int, demands: [Subscribers.Demand])) {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.buffer(size: row.size, prefetch: .keepFull, whenFull: .dropNewest).record()

    #expect(script.demands == row.demands)
    #expect(recorder.events == [.subscription])
  }

  @Test("`buffer` without room passes on what is requested, and drops values sent inside a delivery")
  func withoutRoom() {
    for whenFull in [.dropNewest, .dropOldest] as [Publishers.BufferingStrategy<Problem>] {
      let script = Script(Int.self, failure: Problem.self)
      let recorder = script.buffer(size: 0, prefetch: .byRequest, whenFull: whenFull).record(demand: .max(2))
      {
        $0.onValue = { [unowned script] _, value in
          if value == 1 { script.say(2) }
        }
      }

      for value in [1, 3, 4] { script.say(value) }
      recorder.request(.max(1))
      script.say(5, 6)

      #expect(recorder.values == [1, 3, 5])
    }
  }

  @Test(
    "`buffer` completes after it has passed on its subscription, if upstream ends within the first request")
  func endsAtOnce() {
    let script = Script(Int.self, failure: Problem.self)
    script.onRequest = { session, _ in session.end() }

    let recorder = script.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).record()

    #expect(recorder.events == [.subscription, .completion(.finished)])
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

  @Test("An overflowing `buffer` with nothing kept fails at once")
  func failsWithoutRoom() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.buffer(size: 0, prefetch: .byRequest, whenFull: .customError { Problem(code: 7) })
      .record(demand: .none)

    script.say(1)

    #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 7)))])
    #expect(script.cancellations == 1)
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

  @Test("`buffer` with `keepFull` returns the demand for a value that passes through to upstream")
  func answers() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).record(demand: .max(1))

    let answers = [script.say(1), script.say(2)]

    #expect(answers == [.max(1), .none])
    #expect(script.demands == [.max(2)])
    #expect(recorder.values == [1])
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
