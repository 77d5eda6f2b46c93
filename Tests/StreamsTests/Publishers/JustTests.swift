import Streams
import StreamsTesting
import Testing

@Suite("Just")
struct JustTests {
  @Test("sends its value when it is asked, and finishes right after")
  func sends() {
    let recorder = Just(7).record(demand: .none)
    let before = recorder.events

    recorder.request(.max(1))
    recorder.request(.max(1))

    #expect(before == [.subscription])
    #expect(recorder.events == [.subscription, .value(7), .completion(.finished)])
  }

  @Test("does not finish if it is cancelled with the value, and sends nothing if it is before")
  func cancels() {
    let early = Just(7).record(demand: .none)
    early.cancel()
    early.request(.max(1))
    let late = Just(7).record { $0.onValue = { recorder, _ in recorder.cancel() } }

    #expect(early.events == [.subscription])
    #expect(late.events == [.subscription, .value(7)])
  }

  @Test(
    "lets go of its value and its subscriber when it has sent it, and when it is cancelled",
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

  @Test("sends at most once, whoever asks and cancels at the same time")
  func concurrent() {
    for _ in 0..<200 {
      let witness = Witness<Int, Never>(demand: .none)
      Just(1).subscribe(witness)

      race({ witness.request(.max(1)) }, { witness.request(.unlimited) }, { witness.cancel() })

      #expect(witness.values.count <= 1)
      #expect(witness.faults.isEmpty)
    }
  }

  @Test("is equal to another of the same value, and has a name")
  func equality() {
    #expect(Just(1) == Just(1))
    #expect(Just(1) != Just(2))
    #expect(Just(1).output == 1)
    #expect("\(Just(1).record().subscriptions[0])" == "Just")
  }

  @Test("traps when it is asked for nothing")
  func traps() async {
    await #expect(processExitsWith: .failure) { Just(1).record(demand: .none).request(.none) }
  }
}
