import Streams
import StreamsTesting
import Testing

@Suite("`subscribe(on:)`", .leavesNothing)
struct SubscribeOnTests {
  @Test("`subscribe(on:)` schedules subscription, requests and cancellation, but no values, and then nothing")
  func jobs() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.subscribe(on: scheduler).record(demand: .max(1))

    let atOnce = (script.sessions.count, recorder.events.count)
    scheduler.advance()
    let later = script.asks
    script.say(1)
    let values = recorder.values
    recorder.request(.max(2))
    recorder.cancel()
    let beforeTheJobs = script.asks
    scheduler.advance()
    recorder.request(.max(1))

    #expect(atOnce == (0, 0))
    #expect(later == [.request(.max(1))])
    #expect(values == [1])
    #expect(beforeTheJobs == later)
    #expect(script.asks == [.request(.max(1)), .cancel])
    #expect(scheduler.pending == 0)
  }

  @Test("`subscribe(on:)` cancels upstream if it is cancelled before its subscription arrives")
  func cancelsBeforeArrival() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Never.self)
    let cancellable = script.subscribe(on: scheduler).sink { _ in Issue.record("a value after cancellation") }

    cancellable.cancel()
    scheduler.advance()
    script.say(1)

    #expect(script.asks.filter { $0 != .cancel }.isEmpty)
    #expect(script.cancellations == 1)
  }

  @Test("`subscribe(on:)` ignores a completion before the subscription")
  func endsTooEarly() {
    let script = Script(Int.self, failure: Problem.self)
    script.handsOverAtOnce = false
    let recorder = script.subscribe(on: ImmediateScheduler.shared).record()

    script.end()
    if let session = script.session { session.handOver(session.subscription) }
    script.say(1)

    #expect(recorder.events == [.subscription, .value(1)])
    recorder.cancel()
  }

  @Test("`subscribe(on:)` takes one subscription and one completion, and then releases downstream")
  func second() {
    let lifetimes = Lifetimes()
    let script = Script(Int.self, failure: Never.self)
    let late = SubscriptionRecorder()
    let subscription: any Subscription
    do {
      let recorder = script.subscribe(on: ImmediateScheduler.shared).record()
      lifetimes.track(recorder, as: "downstream")
      subscription = recorder.subscriptions[0]
      script.session?.handOver(late)
      for _ in 1...2 { script.end() }

      #expect(recorder.events == [.subscription, .completion(.finished)])
    }

    #expect(late.asks == [.cancel])
    #expect(lifetimes.living == [])
    withExtendedLifetime(subscription) {}
  }

  @Test("`subscribe(on:)` accepts requests inside values on an immediate scheduler")
  func immediate() {
    let recorder = (0..<1000).publisher.subscribe(on: ImmediateScheduler.shared).record(demand: .max(1)) {
      $0.onValue = { recorder, _ in recorder.request(.max(1)) }
    }

    #expect(recorder.values.count == 1000)
    #expect(recorder.completions == [.finished])
  }

  @Test("`subscribe(on:)` has Combine's name")
  func names() {
    let recorder = Just(1).subscribe(on: ImmediateScheduler.shared).record()

    #expect("\(recorder.subscriptions[0])" == "SubscribeOn")
  }
}
