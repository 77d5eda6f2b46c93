import Streams
import StreamsTesting
import Testing

@Suite("`Just`", .leavesNothing)
struct JustTests {
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
}
