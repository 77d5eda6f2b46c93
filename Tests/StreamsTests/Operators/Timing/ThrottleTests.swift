import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`throttle`", .leavesNothing)
struct ThrottleTests {
  @Test(
    "`throttle` sends the first value at once, then the latest or first of each interval",
    arguments: [
      (upstream: "1", latest: "1", first: "1"),
      (upstream: "12", latest: "1--2", first: "1--2"),
      (upstream: "1234", latest: "1--3--4", first: "1--2--4"),
      (upstream: "123-5--6", latest: "1--3--5--6", first: "1--2--5--6"),
      (upstream: "1---2", latest: "1---2", first: "1---2"),
      (upstream: "(123)", latest: "3", first: "1"),
    ])
  func paces(_ row: (upstream: String, latest: String, first: String)) throws {
    #expect(try line(row.upstream, latest: true) == row.latest)
    #expect(try line(row.upstream, latest: false) == row.first)
  }

  @Test(
    "`throttle` ends with its waiting value, or at once if there is none",
    arguments: [("12|", "1--(2|)"), ("12#", "1--(2#)"), ("1|", "1|"), ("|", "|"), ("#", "#")])
  func ends(_ upstream: String, _ expected: String) throws {
    #expect(try line(upstream, latest: true) == expected)
  }

  @Test("`throttle` drops values without demand")
  func demand() throws {
    #expect(try line("1---2---3", latest: true, demand: .max(1)) == "1")
    #expect(try line("123|", latest: true, demand: .none) == "---|")
  }

  @Test("`throttle` sends nothing after cancellation")
  func cancels() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.throttle(for: 2, scheduler: scheduler, latest: true).record()

    script.say(1)
    recorder.cancel()
    scheduler.run()

    #expect(recorder.events == [.subscription])
    #expect(script.asks == [.request(.unlimited), .cancel])
  }

  @Test("`throttle` agrees with its model on every timeline of six seconds", arguments: 1...3, [true, false])
  func model(_ interval: Int, _ latest: Bool) throws {
    for upstream in Sketch.all(6) {
      let played = try Marble(upstream).play {
        $0.throttle(for: .seconds(interval), scheduler: $1, latest: latest)
      }

      #expect(played == Self.model(upstream, interval, latest), "\(upstream)")
    }
  }

  private static func model(_ upstream: String, _ interval: Int, _ latest: Bool) -> String {
    var sketch = Sketch()
    var due = 0
    var waiting: Character?
    for (second, sign) in (upstream + "--------").enumerated() {
      if let value = waiting, second == due {
        sketch.note(value, at: second)
        (waiting, due) = (nil, second + interval)
      }
      switch sign {
      case "-": break
      case "|", "#":
        if let value = waiting { sketch.note(value, at: due) }
        sketch.note(sign, at: waiting == nil ? second : due)
        waiting = nil
      case _ where waiting != nil: if latest { waiting = sign }
      case _ where second < due: waiting = sign
      default:
        sketch.note(sign, at: second)
        due = second + interval
      }
    }
    return sketch.line
  }

  private func line(_ upstream: String, latest: Bool, demand: Subscribers.Demand = .unlimited) throws
    -> String
  {
    try Marble(upstream).play(demand: demand) { $0.throttle(for: 3, scheduler: $1, latest: latest) }
  }
}
