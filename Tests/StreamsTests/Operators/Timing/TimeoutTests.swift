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
    scheduler.advance()

    #expect(scheduler.pending == 0)
  }
}
