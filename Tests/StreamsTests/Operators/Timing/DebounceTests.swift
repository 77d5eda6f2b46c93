import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`debounce`", .leavesNothing)
struct DebounceTests {
  @Test(
    "`debounce` sends a value after a pause of two seconds",
    arguments: [
      (upstream: "1", line: "--1"),
      (upstream: "1-2", line: "--1-2"),
      (upstream: "123", line: "----3"),
      (upstream: "12-3---4", line: "---2-3---4"),
      (upstream: "(12)--", line: "--2"),
      (upstream: "1-|", line: "--(1|)"),
    ])
  func waits(_ row: (upstream: String, line: String)) throws {
    #expect(try line(row.upstream) == row.line)
  }

  @Test(
    "`debounce` drops its waiting value when upstream ends",
    arguments: [("1|", "-|"), ("1#", "-#"), ("1-23|", "--1-|")])
  func ends(_ upstream: String, _ expected: String) throws {
    #expect(try line(upstream) == expected)
  }

  @Test("`debounce` drops its waiting value when upstream ends at the moment at which the value is due")
  func endsWhenDue() {
    let scheduler = VirtualScheduler.virtual
    let subject = PassthroughSubject<Int, Never>()
    // Runs before the timer, which is set later for the same time.
    scheduler.schedule(after: scheduler.now.advanced(by: 2)) { subject.send(completion: .finished) }
    let recorder = subject.debounce(for: 2, scheduler: scheduler).record()

    subject.send(1)
    scheduler.run()

    #expect(recorder.events == [.subscription, .completion(.finished)])
  }

  @Test("`debounce` leaves nothing scheduled but the completion when upstream ends")
  func endsWithoutTimer() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.debounce(for: 2, scheduler: scheduler).record()

    script.say(1)
    script.end()

    #expect(scheduler.pending == 1)
    withExtendedLifetime(recorder) {}
  }

  @Test("`debounce` sends nothing after cancellation, and leaves no action scheduled")
  func cancels() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.debounce(for: 2, scheduler: scheduler).record()

    script.say(1)
    recorder.cancel()
    let pending = scheduler.pending
    scheduler.run()

    #expect(pending == 0)
    #expect(recorder.events == [.subscription])
  }

  @Test(
    "`debounce` sends a due value, and later one that arrived while its timer fired, and reports neither as dropped",
    arguments: [false, true])
  func arrivesWhileFiring(flushes: Bool) {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let hooked = HookedScheduler(scheduler)
    var drops: [String] = []
    let recorder =
      flushes
      ? script.debounce(for: 2, scheduler: hooked, flushesOnCompletion: true)
        .handleDrops { drops.append("\($0)") }.record()
      : script.debounce(for: 2, scheduler: hooked).handleDrops { drops.append("\($0)") }.record()

    script.say(1)
    hooked.onCancel = { script.say(2) }
    scheduler.advance(by: 3)
    let first = recorder.values
    scheduler.advance(by: 2)

    #expect(first == [1])
    #expect(recorder.values == [1, 2])
    #expect(drops == [])
  }

  @Test(
    "`debounce` that flushes sends each value once if its timer fires meanwhile",
    arguments: [(says: false, ends: true, values: [1]), (true, true, [1, 2]), (true, false, [1, 2])])
  func endsWhileFiring(_ row: (says: Bool, ends: Bool, values: [Int])) {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let hooked = HookedScheduler(scheduler)
    let recorder = script.debounce(for: 2, scheduler: hooked, flushesOnCompletion: true).record()

    script.say(1)
    hooked.onCancel = {
      if row.says { script.say(2) }
      if row.ends { script.end() }
    }
    scheduler.advance(by: 3)
    if !row.ends { script.end() }
    scheduler.run()

    #expect(recorder.values == row.values)
    #expect(recorder.completions == [.finished])
  }

  private func line(_ upstream: String, demand: Subscribers.Demand = .unlimited) throws -> String {
    try Marble(upstream).play(demand: demand) { $0.debounce(for: 2, scheduler: $1) }
  }
}
