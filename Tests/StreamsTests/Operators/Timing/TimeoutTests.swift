import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`timeout`", .leavesNothing)
struct TimeoutTests {
  @Test(
    "`timeout` finishes when no value has arrived for three seconds",
    arguments: [
      (upstream: "", line: "---|"),
      (upstream: "1", line: "1--|"),
      (upstream: "--1-2", line: "--1-2--|"),
      (upstream: "1---2", line: "1--|"),
      (upstream: "--1|", line: "--1|"),
      (upstream: "-#", line: "-#"),
      (upstream: "---1", line: "---|"),
    ])
  func expires(_ row: (upstream: String, line: String)) throws {
    #expect(try Marble(row.upstream).play { $0.timeout(3, scheduler: $1) } == row.line)
  }

  @Test("`timeout` delivers nothing if it is cancelled while its error is created")
  func cancelledByItsError() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = Recorder<Int, Problem>()
    script.timeout(3, scheduler: scheduler) {
      recorder.cancel()
      return Problem(code: 7)
    }.subscribe(recorder)

    scheduler.advance(by: 5)

    #expect(recorder.events == [.subscription])
    #expect(script.cancellations == 1)
  }

  @Test("`timeout` cancels upstream, then creates its error, then fails")
  func order() {
    let journal = Journal()
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self, journal: journal)
    let recorder = script.timeout(3, scheduler: scheduler) {
      journal.note("error")
      return Problem(code: 7)
    }.record { $0.journal = journal }

    scheduler.run()

    #expect(
      journal.lines.suffix(3) == ["upstream: cancel", "error", "downstream: failure Problem(code: 7)"])
    #expect(recorder.completions.count == 1)
  }

  @Test(
    "`timeout` leaves no action scheduled after cancellation or completion", arguments: [true, false])
  func tidies(_ cancels: Bool) {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.timeout(3, scheduler: scheduler).record()

    if cancels { recorder.cancel() } else { script.end() }
    recorder.cancel()
    scheduler.advance()

    #expect(scheduler.pending == 0)
    #expect(script.cancellations == (cancels ? 1 : 0))
  }

  @Test("The time of `timeout` starts again at the first request, and not at the second")
  func firstRequest() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.timeout(3, scheduler: scheduler).record(demand: .none)

    for _ in 1...2 {
      scheduler.advance(by: 2)
      recorder.request(.max(1))
    }
    let early = recorder.completions
    scheduler.advance(by: 1)

    #expect(early == [])
    #expect(recorder.completions == [.finished])
  }

  @Test("`timeout` ignores a completion before the subscription")
  func endsTooEarly() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    script.handsOverAtOnce = false
    let recorder = script.timeout(3, scheduler: scheduler).record()

    script.end()
    if let session = script.session { session.handOver(session.subscription) }
    script.say(1)
    scheduler.advance(by: 0)

    #expect(recorder.events == [.subscription, .value(1)])
    recorder.cancel()
  }

  @Test("`timeout` fails though upstream ends when it is cancelled")
  func endsOnCancellation() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    script.onCancel = { $0.end() }
    let recorder = script.timeout(3, scheduler: scheduler) { Problem(code: 7) }.record()

    scheduler.run()

    #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 7)))])
    script.onCancel = nil
  }

  @Test("`timeout` creates no error if upstream ends while its timer rings")
  func endsWhileRinging() {
    let hooked = HookedScheduler(VirtualScheduler.virtual)
    let script = Script(Int.self, failure: Problem.self)
    let errors = Guarded(0)
    let recorder = script.timeout(3, scheduler: hooked) {
      errors.withLock { $0 += 1 }
      return Problem(code: 7)
    }.record()

    hooked.onCancel = { script.end() }
    hooked.base.run()

    #expect(errors.withLock { $0 } == 0)
    #expect(recorder.events == [.subscription, .completion(.finished)])
  }
}
