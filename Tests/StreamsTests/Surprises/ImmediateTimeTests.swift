import Streams
import StreamsTesting
import Testing

@Suite("On a scheduler whose time does not pass", .leavesNothing)
struct ImmediateTimeTests {
  static let scheduler = ImmediateScheduler.shared

  @Test("delay and debounce send each value at once, and throttle the first")
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

  @Test("timeout ends a stream before it begins, where it crashes in Combine")
  func timeout() {
    let silent = Script(Int.self, failure: Problem.self)
    let failed = silent.timeout(5, scheduler: Self.scheduler, customError: { Problem(code: 7) }).record()

    let finished = Just(1).timeout(5, scheduler: Self.scheduler).record()

    #expect(failed.events == [.subscription, .completion(.failure(Problem(code: 7)))])
    #expect(finished.events == [.subscription, .completion(.finished)])
    #expect(silent.cancellations == 1)
  }

  @Test("collect by time has one interval, which is over before the first value")
  func collect() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.collect(.byTime(Self.scheduler, 1)).record()

    script.say(1, 2)
    script.end()

    #expect(recorder.values == [[1, 2]])
    #expect(recorder.completions == [.finished])
  }

  @Test("the interval between two values is none")
  func intervals() {
    let recorder = (1...2).publisher.measureInterval(using: Self.scheduler).record()

    #expect(recorder.values == [0, 0])
  }
}
