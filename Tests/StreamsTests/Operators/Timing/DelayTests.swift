import Streams
import StreamsTesting
import Testing

@Suite("`delay`", .leavesNothing)
struct DelayTests {
  @Test(
    "`delay` delays values and a completion by two seconds",
    arguments: [("1", "--1"), ("12-3|", "--12-3|"), ("(12|)", "--(12|)"), ("1#", "--1#")])
  func moves(_ upstream: String, _ expected: String) throws {
    #expect(try Marble(upstream).play { $0.delay(for: 2, scheduler: $1) } == expected)
  }

  @Test("`delay` agrees with its model on every timeline of six seconds", arguments: 0...3)
  func model(_ interval: Int) throws {
    for upstream in Sketch.all(6) {
      let played = try Marble(upstream).play { $0.delay(for: .seconds(interval), scheduler: $1) }

      #expect(played == Sketch.trimmed(String(repeating: "-", count: interval) + upstream))
    }
  }

  @Test("`delay` forwards demand immediately, and requests demand returned for a value")
  func demand() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.delay(for: 2, scheduler: scheduler).record(demand: .max(2)) {
      $0.answer = { _ in .max(3) }
    }

    let before = script.demands
    let answer = script.say(1)
    scheduler.run()

    #expect(before == [.max(2)])
    #expect(answer == .none)
    #expect(script.demands == [.max(2), .max(3)])
    #expect(recorder.values == [1])
  }

  @Test("`delay` does not deliver a delayed value after cancellation")
  func cancels() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.delay(for: 2, scheduler: scheduler).record()

    script.say(1)
    recorder.cancel()
    scheduler.run()

    #expect(recorder.events == [.subscription])
    #expect(script.cancellations == 1)
  }

  @Test("`delay` uses the scheduler's minimum tolerance by default")
  func tolerance() {
    let scheduler = VirtualScheduler.virtual

    #expect(Just(1).delay(for: 2, scheduler: scheduler).tolerance == scheduler.minimumTolerance)
    #expect(Just(1).delay(for: 2, tolerance: 5, scheduler: scheduler).tolerance == 5)
  }
}

@Suite("`measureInterval`", .leavesNothing)
struct MeasureIntervalTests {
  @Test("`measureInterval` sends the time since the previous value, or since the subscription")
  func measures() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.measureInterval(using: scheduler).record()

    scheduler.advance(by: 3)
    script.say(1)
    scheduler.advance(by: 0.5)
    script.say(2, 3)

    #expect(recorder.values == [3, 0.5, 0])
  }

  @Test(
    "The first interval of `measureInterval` begins when the subscription arrives, and a second one is ignored"
  )
  func arrival() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    script.handsOverAtOnce = false
    let recorder = script.measureInterval(using: scheduler).record()

    scheduler.advance(by: 5)
    script.sessions[0].handOver(script.sessions[0].subscription)
    scheduler.advance(by: 1)
    script.sessions[0].handOver(SubscriptionRecorder())
    scheduler.advance(by: 2)
    script.say(1)
    scheduler.advance(by: 0.5)
    script.say(2)

    #expect(recorder.values == [3, 0.5])
  }
}
