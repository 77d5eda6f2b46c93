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

  @Test("`timeout` fails with its custom error if it has one")
  func fails() throws {
    let line = try Marble("1").play { $0.timeout(3, scheduler: $1, customError: { .thrown }) }

    #expect(line == "1--#")
  }

  @Test("`timeout` agrees with its model on every timeline of six seconds", arguments: 1...4)
  func model(_ patience: Int) throws {
    for upstream in Sketch.all(6) {
      let played = try Marble(upstream).play { $0.timeout(.seconds(patience), scheduler: $1) }

      #expect(played == Self.model(upstream, patience), "\(upstream)")
    }
  }

  /// What is due comes first: a value in the second of the timeout is late.
  private static func model(_ upstream: String, _ patience: Int) -> String {
    var sketch = Sketch()
    var deadline = patience
    for (second, sign) in upstream.enumerated() where sign != "-" {
      if second >= deadline { break }
      sketch.note(sign, at: second)
      if sign == "|" || sign == "#" { return sketch.line }
      deadline = second + patience
    }
    sketch.note("|", at: deadline)
    return sketch.line
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

  @Test("`timeout` starts its timer at subscription, and restarts it only at the first request")
  func starts() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.timeout(3, scheduler: scheduler).record(demand: .none)

    scheduler.advance(by: 2)
    recorder.request(.max(1))
    scheduler.advance(by: 2)
    recorder.request(.max(1))
    let early = recorder.completions
    scheduler.advance(by: 1)

    #expect(early.isEmpty)
    #expect(recorder.completions == [.finished])
    #expect(script.asks == [.request(.max(1)), .request(.max(1)), .cancel])
  }

  @Test("`timeout` expires without demand")
  func unasked() throws {
    #expect(try Marble("").play(demand: .none) { $0.timeout(3, scheduler: $1) } == "---|")
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
