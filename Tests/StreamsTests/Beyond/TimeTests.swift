import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Timing beyond Combine", .leavesNothing)
struct TimeTests {
  let scheduler = VirtualScheduler.virtual

  @Test("A timer publisher sends dates once connected, does not drift, and stops when cancelled")
  func timer() {
    let timer = scheduler.timerPublisher(every: .seconds(3))
    let recorder = timer.record()
    scheduler.advance(by: .seconds(5))
    let early = recorder.values

    let connection = timer.connect()
    scheduler.advance(by: .seconds(7))
    connection.cancel()
    scheduler.advance(by: .seconds(7))

    #expect(early.isEmpty)
    #expect(recorder.values.map(\.elapsed) == [.seconds(8), .seconds(11)])
    #expect(scheduler.pending == 0)
  }

  @Test("A timer publisher exists while it is connected, and releases its subscribers after cancellation")
  func timerLifetime() {
    let leaked = Lifetimes.leaks { lifetimes in
      let (recorder, connection) = {
        let timer = lifetimes.track(scheduler.timerPublisher(every: .seconds(3)), as: "the timer")
        return (lifetimes.track(timer.record(), as: "the subscriber"), timer.connect())
      }()
      scheduler.advance(by: .seconds(3))
      #expect(recorder.values.count == 1)
      connection.cancel()
    }

    #expect(leaked.isEmpty)
  }

  @Test("A timer publisher for one date sends it and finishes")
  func appointment() {
    let recorder = scheduler.timerPublisher(after: .seconds(2)).record()
    let cancelled = scheduler.timerPublisher(after: .seconds(2)).record()
    cancelled.cancel()

    scheduler.advance(by: .seconds(2))

    #expect(recorder.values.map(\.elapsed) == [.seconds(2)])
    #expect(recorder.completions == [.finished])
    #expect(cancelled.values.isEmpty)
  }

  @Test(
    "Timing operators match their marble diagrams",
    arguments: [
      ("prefix", "a-b-c-|", "a-b-|"),
      ("drop", "a-b-c-|", "----c-|"),
      ("debounce", "ab----c|", "----b--(c|)"),
      ("throttle", "abc---d|", "a---c---(d|)"),
      ("sum", "abc---d|", "a---[bc]---(d|)"),
      ("timeout", "a-------b|", "a---(x|)"),
    ])
  func diagrams(name: String, input: String, output: String) throws {
    let seen = try Marble(input).play { upstream, scheduler in
      switch name {
      case "prefix": upstream.prefix(duration: 4, on: scheduler)
      case "drop": upstream.drop(duration: 3, on: scheduler)
      case "debounce":
        upstream.debounce(for: 3, scheduler: scheduler, flushesOnCompletion: true).eraseToAnyPublisher()
      case "throttle": upstream.throttle(for: 4, scheduler: scheduler) { $1 }.eraseToAnyPublisher()
      case "sum":
        upstream.throttle(for: 4, scheduler: scheduler) { ($0 ?? "") + $1 }.eraseToAnyPublisher()
      default:
        upstream.timeout(4, scheduler: scheduler, other: Just("x").setFailureType(to: TestFailure.self))
          .eraseToAnyPublisher()
      }
    }

    #expect("\(seen)" == "\(try Marble(output))")
  }

  @Test("`timeout` with another publisher does not subscribe to it after completion or cancellation")
  func calledOff() {
    let scripts = (0..<2).map { _ in Script(Int.self, failure: Never.self) }
    let other = Script(Int.self, failure: Never.self)
    let recorders = scripts.map { $0.timeout(.seconds(1), scheduler: scheduler, other: other).record() }

    scripts[0].end()
    recorders[1].cancel()
    scheduler.run()

    #expect(other.sessions.isEmpty)
    #expect(recorders.map(\.completions.count) == [1, 0])
  }

  @Test("`timeout` with another publisher switches to it on a scheduler that runs actions at once")
  func timeoutAtOnce() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.timeout(1, scheduler: ImmediateScheduler.shared, other: Just(9)).record()

    #expect(recorder.events == [.subscription, .value(9), .completion(.finished)])
    #expect(script.cancellations == 1)
  }

  @Test("`timeout` with another publisher loses no value at whose arrival the time is up at once")
  func timeoutAtValue() {
    let scheduler = PromptScheduler()
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.timeout(1, scheduler: scheduler, other: Just(9)).record()

    script.say(1)
    scheduler.isPrompt = true
    script.say(2)

    #expect(recorder.values == [1, 2, 9])
    #expect(script.cancellations == 1)
  }

  @Test("A scheduler can sleep, tick at an interval, and measure its own time")
  func asynchronous() async throws {
    let scheduler = scheduler
    async let slept: Void = scheduler.sleep(for: .seconds(5))
    async let ticks = scheduler.timer(interval: .seconds(2)).prefix(2).reduce(into: []) {
      $0.append($1.elapsed)
    }
    while scheduler.pending < 2 { await Task.yield() }

    await scheduler.advance(by: .seconds(2))
    await scheduler.advance(by: .seconds(3))

    try await slept
    #expect(await ticks.count == 2)
    #expect(scheduler.measure { scheduler.advance(by: .seconds(3)) } == .seconds(3))
  }

  @Test("A scheduler isolated to an actor sleeps and measures on that actor")
  @MainActor
  func asynchronousOnActor() async throws {
    let clock = AppClock()
    clock.onRest = { [unowned clock] in clock.now = clock.now.advanced(by: 5) }

    try await clock.sleep(for: 5)
    let slept = try await clock.measure { try await clock.sleep(until: VirtualTime(15)) }

    #expect(slept == 5)
    #expect(clock.now == VirtualTime(10))
  }

  @Test("`TaskScheduler` runs jobs in order, and repeats a job until it is cancelled")
  func clockScheduler() async {
    let scheduler = TaskScheduler()
    let (numbers, count) = AsyncStream.makeStream(of: Int.self)

    for number in 1...100 { scheduler.schedule { count.yield(number) } }
    scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(1))) { count.yield(101) }
    let first = await numbers.prefix(101).reduce(into: []) { $0.append($1) }
    let (ticks, tick) = AsyncStream.makeStream(of: Void.self)
    let timer = scheduler.schedule(after: scheduler.now, interval: .milliseconds(1)) { tick.yield() }
    for await _ in ticks.prefix(3) {}
    timer.cancel()

    #expect(first == Array(1...101))
    #expect(ClockStride(.seconds(2)) * 3 == .seconds(6))
  }

  @Test("`receive(on:)` keeps the order of values on a `TaskScheduler`")
  func receiveOnClock() async {
    let values = (1...100).publisher.receive(on: TaskScheduler()).values(buffering: .unbounded)

    #expect(await values.reduce(into: []) { $0.append($1) } == Array(1...100))
  }

  @MainActor
  @Test("`UIScheduler` runs an action at once on the main actor")
  func uiScheduler() {
    var hasRun = false

    UIScheduler.shared.schedule { hasRun = true }

    #expect(hasRun)
  }

  @Test("An immediate and a test scheduler take the place of `UIScheduler`")
  func uiSchedulerInTests() {
    func values(on scheduler: AnySchedulerOf<UIScheduler>) -> Recorder<Int, Never> {
      Just(1).delay(for: .seconds(3), scheduler: scheduler).record()
    }
    let test = UIScheduler.test

    let (immediate, virtual) = (values(on: .immediate), values(on: test.eraseToAnyScheduler()))
    let early = virtual.values
    test.advance(by: .seconds(3))

    #expect(immediate.values == [1])
    #expect(early.isEmpty)
    #expect(virtual.values == [1])
  }
}

/// A clock of the user interface: only the main actor may use it.
@MainActor
private final class AppClock: @MainActor Scheduler {
  var now = VirtualTime()
  var onRest: () -> Void = {}
  let minimumTolerance = VirtualTime.Stride.zero

  func schedule(options _: Never?, _ action: @escaping () -> Void) { action() }

  func schedule(
    after _: VirtualTime, tolerance _: VirtualTime.Stride, options _: Never?, _ action: @escaping () -> Void
  ) {
    action()
  }

  func schedule(
    after _: VirtualTime, interval _: VirtualTime.Stride, tolerance _: VirtualTime.Stride, options _: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    MainActor.preconditionIsolated()
    onRest()
    action()
    return AnyCancellable {}
  }
}

/// A scheduler that runs nothing, and, once it is prompt, every action at once.
private final class PromptScheduler: Scheduler {
  var isPrompt = false

  var now: VirtualTime { VirtualTime() }
  var minimumTolerance: VirtualTime.Stride { 0 }

  func schedule(options _: Never?, _ action: @escaping () -> Void) {
    if isPrompt { action() }
  }

  func schedule(
    after _: VirtualTime, tolerance _: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    schedule(options: options, action)
  }

  func schedule(
    after _: VirtualTime, interval _: VirtualTime.Stride, tolerance _: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(options: options, action)
    return AnyCancellable {}
  }
}
