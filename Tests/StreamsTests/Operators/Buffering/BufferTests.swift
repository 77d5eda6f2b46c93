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

  @Test("`buffer` traps on a negative size")
  func traps() async {
    await #expect(processExitsWith: .failure) {
      _ = Just(1).buffer(size: -1, prefetch: .keepFull, whenFull: .dropNewest)
    }
  }
}
