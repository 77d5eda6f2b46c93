import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`collect` by time", .leavesNothing)
struct CollectByTimeTests {
  @Test(
    "`collect(.byTime)` sends the values of each interval, and no empty arrays",
    arguments: [
      (upstream: "12", line: "---[12]"),
      (upstream: "1--2", line: "---1--2"),
      (upstream: "1------2", line: "---1-----2"),
      (upstream: "12|", line: "--([12]|)"),
      (upstream: "12#", line: "--#"),
      (upstream: "|", line: "|"),
      (upstream: "123|", line: "---([123]|)"),
    ])
  func groups(_ row: (upstream: String, line: String)) throws {
    #expect(try Marble(row.upstream).play(naming: { $0.joined() }) { $0.collect(.byTime($1, 3)) } == row.line)
  }

  @Test(
    "`collect(.byTimeOrCount)` sends after the count, and at each end of an interval, which a full array does not move",
    arguments: [
      (upstream: "1", line: "---1"),
      (upstream: "12", line: "-[12]"),
      (upstream: "12-3", line: "-[12]----3"),
      (upstream: "1-2-3", line: "--[12]---3"),
      (upstream: "12(34)5", line: "-[12][34]---5"),
      (upstream: "(123)", line: "[12]--3"),
      (upstream: "1|", line: "-(1|)"),
      (upstream: "1#", line: "-#"),
    ])
  func groupsByCount(_ row: (upstream: String, line: String)) throws {
    #expect(
      try Marble(row.upstream).play(naming: { $0.joined() }) { $0.collect(.byTimeOrCount($1, 3, 2)) }
        == row.line)
  }

  @Test(
    "`collect(.byTimeOrCount)` sends full arrays that wait for demand when that comes, and then ends",
    arguments: [false, true])
  func sendsOnRequest(_ ends: Bool) {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(.byTimeOrCount(scheduler, 3, 2)).record(demand: .max(4))
    for value in 1...4 {
      script.say(value)
      scheduler.advance(by: 3)
    }

    script.say(5, 6, 7, 8)
    if ends { script.end() }
    scheduler.advance(by: 0)
    let early = recorder.events
    recorder.request(.max(2))
    scheduler.advance(by: 0)

    #expect(early == [.subscription, .value([1]), .value([2]), .value([3]), .value([4])])
    #expect(recorder.values == [[1], [2], [3], [4], [5, 6], [7, 8]])
    #expect(recorder.completions == (ends ? [.finished] : []))
    recorder.cancel()
  }

  @Test("`collect(.byTime)` leaves no timer running while its last array waits for demand")
  func stopsTheTimer() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(.byTime(scheduler, 3)).record(demand: .max(1))
    script.say(1)
    scheduler.advance(by: 3)

    script.say(2)
    let running = scheduler.pending
    script.end()
    scheduler.advance(by: 0)

    #expect(running == 1)
    #expect(scheduler.pending == 0)
    #expect(recorder.events == [.subscription, .value([1])])
  }

  @Test(
    "`collect(.byTime)` leaves no action scheduled after cancellation or completion",
    arguments: [true, false])
  func tidies(_ cancels: Bool) {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(.byTime(scheduler, 3)).record()

    if cancels { recorder.cancel() } else { script.end() }
    scheduler.advance()

    #expect(scheduler.pending == 0)
  }
}
