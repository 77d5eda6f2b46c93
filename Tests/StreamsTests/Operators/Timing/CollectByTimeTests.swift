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

  @Test("`collect(.byTime)` agrees with its model on every timeline of six seconds", arguments: 1...4)
  func model(_ interval: Int) throws {
    for upstream in Sketch.all(6) {
      let played = try Marble(upstream).play(naming: { $0.joined() }) {
        $0.collect(.byTime($1, .seconds(interval)))
      }

      #expect(played == Self.model(upstream, interval), "\(upstream)")
    }
  }

  /// What is due comes first: a value in the last second of an interval belongs to the next.
  private static func model(_ upstream: String, _ interval: Int) -> String {
    var sketch = Sketch()
    var group = ""
    for (second, sign) in (upstream + "------").enumerated() {
      if second > 0, second.isMultiple(of: interval), !group.isEmpty {
        sketch.note(Marble.Signal.value(group), at: second)
        group = ""
      }
      switch sign {
      case "-": break
      case "|", "#":
        if sign == "|", !group.isEmpty { sketch.note(Marble.Signal.value(group), at: second) }
        sketch.note(sign, at: second)
        group = ""
      default: group.append(sign)
      }
    }
    return sketch.line
  }

  @Test("`collect(.byTime)` requests one value after another once it has demand")
  func demand() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(.byTime(VirtualScheduler.virtual, 3)).record(demand: .max(5))

    let answer = script.say(1)

    #expect(script.demands == [.max(1)])
    #expect(answer == .max(1))
    #expect(recorder.values.isEmpty)
  }

  @Test("`collect(.byTimeOrCount)` requests as many values as the requested arrays need")
  func demandByCount() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(.byTimeOrCount(scheduler, 3, 2)).record(demand: .max(2)) {
      $0.answer = { _ in .max(1) }
    }

    let answers = [script.say(1), script.say(2)]
    scheduler.advance()

    #expect(answers == [.none, .none])
    #expect(script.demands == [.max(4), .max(2)])
    #expect(recorder.values == [[1, 2]])
  }

  @Test("`collect(.byTime)` keeps its values while there is no demand")
  func keeps() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(.byTime(scheduler, 3)).record(demand: .max(1))

    script.say(1)
    scheduler.advance(by: 3)
    script.say(2)
    scheduler.advance(by: 3)
    script.say(3)
    recorder.request(.max(1))
    scheduler.advance(by: 3)

    #expect(recorder.values == [[1], [2, 3]])
  }

  @Test("`collect(.byTimeOrCount)` keeps a full array while there is no demand")
  func keepsFull() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(.byTimeOrCount(scheduler, 3, 2)).record(demand: .none)
    for value in 1...2 {
      recorder.request(.max(1))
      script.say(value)
      scheduler.advance(by: 3)
    }

    script.say(3, 4)
    scheduler.advance(by: 3)
    let unasked = recorder.values
    recorder.request(.max(1))
    scheduler.advance(by: 0)

    #expect(unasked == [[1], [2]])
    #expect(recorder.values == [[1], [2], [3, 4]])
  }

  @Test("`collect(.byTimeOrCount)` keeps its remaining values and the completion until they are requested")
  func keepsRest() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(.byTimeOrCount(scheduler, 3, 2)).record(demand: .none)
    for value in 1...3 {
      recorder.request(.max(1))
      script.say(value)
      scheduler.advance(by: 3)
    }

    script.say(4, 5, 6)
    script.end()
    scheduler.advance(by: 3)
    let early = recorder.completions
    recorder.request(.max(1))
    scheduler.advance(by: 0)
    recorder.request(.max(1))
    scheduler.advance(by: 0)

    #expect(early.isEmpty)
    #expect(recorder.values == [[1], [2], [3], [4, 5], [6]])
    #expect(recorder.completions == [.finished])
  }

  @Test("`collect(.byTimeOrCount)` drops its remaining values when upstream fails")
  func fails() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(.byTimeOrCount(scheduler, 3, 2)).record(demand: .none)
    for value in 1...3 {
      recorder.request(.max(1))
      script.say(value)
      scheduler.advance(by: 3)
    }

    script.say(4, 5, 6)
    script.end(.failure(Problem(code: 1)))
    scheduler.advance(by: 0)

    #expect(recorder.values == [[1], [2], [3]])
    #expect(recorder.completions == [.failure(Problem(code: 1))])
  }

  @Test("`collect(.byTime)` requests the first value of upstream only once")
  func asksOnce() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(.byTime(scheduler, 3)).record(demand: .max(1))

    script.say(1)
    scheduler.advance(by: 3)
    recorder.request(.max(1))

    #expect(recorder.values == [[1]])
    #expect(script.demands == [.max(1)])
  }

  @Test("`collect(.byTimeOrCount)` keeps full arrays after the end of upstream until each is requested")
  func keepsFullToTheEnd() {
    let scheduler = VirtualScheduler.virtual
    let (script, recorder) = spare(4, scheduler)

    script.say(5, 6, 7, 8)
    script.end()
    scheduler.advance(by: 0)
    let early = recorder.events.count
    recorder.request(.max(1))
    scheduler.advance(by: 0)
    let afterOne = recorder.completions
    recorder.request(.max(1))
    scheduler.advance(by: 0)

    #expect(early == 5)
    #expect(afterOne.isEmpty)
    #expect(recorder.values == [[1], [2], [3], [4], [5, 6], [7, 8]])
    #expect(recorder.completions == [.finished])
  }

  @Test("`collect(.byTimeOrCount)` sends as many waiting arrays as are requested at once")
  func sendsSeveral() {
    let scheduler = VirtualScheduler.virtual
    let (script, recorder) = spare(6, scheduler)

    script.say(7, 8, 9, 10, 11, 12)
    scheduler.advance(by: 0)
    recorder.request(.max(2))
    scheduler.advance(by: 0)

    #expect(recorder.values == [[1], [2], [3], [4], [5], [6], [7, 8], [9, 10]])
  }

  @Test("`collect(.byTimeOrCount)` ends its interval in time after a request has released a full array")
  func keepsTheInterval() {
    let scheduler = VirtualScheduler.virtual
    let (script, recorder) = spare(2, scheduler)
    script.say(3, 4)
    scheduler.advance(by: 2)

    recorder.request(.max(2))
    script.say(5)
    scheduler.advance(by: 0)
    let early = recorder.values
    scheduler.advance(by: 1)

    #expect(early == [[1], [2], [3, 4]])
    #expect(recorder.values == [[1], [2], [3, 4], [5]])
  }

  @Test("`collect(.byTime)` keeps its values to the end of the interval when they are requested within it")
  func keepsToTheInterval() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(.byTime(scheduler, 3)).record(demand: .max(1))
    script.say(1)
    scheduler.advance(by: 3)
    script.say(2)

    recorder.request(.max(1))
    scheduler.advance(by: 2)
    let early = recorder.values
    scheduler.advance(by: 1)

    #expect(early == [[1]])
    #expect(recorder.values == [[1], [2]])
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

  /// Arrays of one value each have been sent, each requested for two: as many values more were requested.
  private func spare(
    _ count: Int, _ scheduler: VirtualScheduler
  ) -> (script: Script<Int, Problem>, recorder: Recorder<[Int], Problem>) {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.collect(.byTimeOrCount(scheduler, 3, 2)).record(demand: .none)
    for value in 1...count {
      recorder.request(.max(1))
      script.say(value)
      scheduler.advance(by: 3)
    }
    return (script, recorder)
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
