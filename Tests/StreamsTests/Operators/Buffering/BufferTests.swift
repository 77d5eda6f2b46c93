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
