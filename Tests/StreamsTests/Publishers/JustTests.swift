import Streams
import StreamsTesting
import Testing

@Suite("`Just`", .leavesNothing)
struct JustTests {
  @Test("`Just` sends its value on demand, then finishes")
  func sends() {
    let recorder = Just(7).record(demand: .none)
    let before = recorder.events

    recorder.request(.max(1))
    recorder.request(.max(1))

    #expect(before == [.subscription])
    #expect(recorder.events == [.subscription, .value(7), .completion(.finished)])
  }

  @Test("`Just` sends nothing more after a cancellation before or inside its value")
  func cancels() {
    let early = Just(7).record(demand: .none)
    early.cancel()
    early.request(.max(1))
    let late = Just(7).record { $0.onValue = { recorder, _ in recorder.cancel() } }

    #expect(early.events == [.subscription])
    #expect(late.events == [.subscription, .value(7)])
  }

  @Test(
    "`Just` releases its value and its subscriber after delivery or cancellation",
    arguments: [true, false])
  func releases(isCancelled: Bool) {
    let lifetimes = Lifetimes()
    var subscription: (any Subscription)?
    do {
      let recorder = lifetimes.track(Recorder<Probe, Never>(demand: .none), as: "recorder")
      Just(lifetimes.probe("value")).subscribe(recorder)
      subscription = recorder.subscriptions[0]
      recorder.forget()
    }
    let before = lifetimes.living

    isCancelled ? subscription?.cancel() : subscription?.request(.max(1))

    #expect(before == ["recorder", "value"])
    #expect(lifetimes.living.isEmpty)
    withExtendedLifetime(subscription) {}
  }

  @Test("`Just` sends its value at most once when threads request and cancel concurrently")
  func concurrent() {
    for _ in 0..<200 {
      let witness = Witness<Int, Never>(demand: .none)
      Just(1).subscribe(witness)

      race({ witness.request(.max(1)) }, { witness.request(.unlimited) }, { witness.cancel() })

      #expect(witness.values.count <= 1)
      #expect(witness.faults.isEmpty)
    }
  }

  @Test("`Just` is equal for equal values, and has Combine's name")
  func equality() {
    #expect(Just(1) == Just(1))
    #expect(Just(1) != Just(2))
    #expect(Just(1).output == 1)
    #expect("\(Just(1).record().subscriptions[0])" == "Just")
  }

  @Test("`Just` traps on zero demand")
  func traps() async {
    await #expect(processExitsWith: .failure) { Just(1).record(demand: .none).request(.none) }
  }
}
