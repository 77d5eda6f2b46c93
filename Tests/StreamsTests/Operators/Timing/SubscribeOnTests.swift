import Streams
import StreamsTesting
import Testing

@Suite("`subscribe(on:)`", .leavesNothing)
struct SubscribeOnTests {
  @Test("`subscribe(on:)` schedules subscription, requests and cancellation, but not values")
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

    #expect(atOnce == (0, 0))
    #expect(later == [.request(.max(1))])
    #expect(values == [1])
    #expect(beforeTheJobs == later)
    #expect(script.asks == [.request(.max(1)), .cancel])
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
