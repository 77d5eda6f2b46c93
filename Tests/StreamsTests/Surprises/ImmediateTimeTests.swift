import Streams
import StreamsTesting
import Testing

@Suite("Timing operators on an immediate scheduler", .leavesNothing)
struct ImmediateTimeTests {
  static let scheduler = ImmediateScheduler.shared

  @Test("`delay`, `debounce` and `throttle` send the first value synchronously on an immediate scheduler")
  func atOnce() {
    let subject = PassthroughSubject<Int, Never>()
    let delayed = subject.delay(for: 5, scheduler: Self.scheduler).record()
    let debounced = subject.debounce(for: 5, scheduler: Self.scheduler).record()
    let throttled = subject.throttle(for: 5, scheduler: Self.scheduler, latest: true).record()

    subject.send(1)

    #expect(delayed.values == [1])
    #expect(debounced.values == [1])
    #expect(throttled.values == [1])
  }

  @Test("`timeout` ends a stream immediately on an immediate scheduler")
  func timeout() {
    let silent = Script(Int.self, failure: Problem.self)
    let failed = silent.timeout(5, scheduler: Self.scheduler, customError: { Problem(code: 7) }).record()

    let finished = Just(1).timeout(5, scheduler: Self.scheduler).record()

    #expect(failed.events == [.subscription, .completion(.failure(Problem(code: 7)))])
    #expect(finished.events == [.subscription, .completion(.finished)])
    #expect(silent.cancellations == 1)
  }

  @Test("`collect(.byTime)` collects all values into one array on an immediate scheduler")
  func collect() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.collect(.byTime(Self.scheduler, 1)).record()

    script.say(1, 2)
    script.end()

    #expect(recorder.values == [[1, 2]])
    #expect(recorder.completions == [.finished])
  }

  @Test("`measureInterval` sends zero for each value on an immediate scheduler")
  func intervals() {
    let recorder = (1...2).publisher.measureInterval(using: Self.scheduler).record()

    #expect(recorder.values == [0, 0])
  }
}
