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

  @Test("`delay` uses the scheduler's minimum tolerance by default")
  func tolerance() {
    let scheduler = VirtualScheduler.virtual

    #expect(Just(1).delay(for: 2, scheduler: scheduler).tolerance == scheduler.minimumTolerance)
    #expect(Just(1).delay(for: 2, tolerance: 5, scheduler: scheduler).tolerance == 5)
  }
}

@Suite("`measureInterval`", .leavesNothing)
struct MeasureIntervalTests {
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
