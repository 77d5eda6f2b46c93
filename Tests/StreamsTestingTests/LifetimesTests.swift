import Streams
import StreamsTesting
import Testing

@Suite("`Lifetimes`")
struct LifetimesTests {
  @Test("`Lifetimes.leaks` returns the names of objects that outlive its body")
  func names() {
    var kept: [Probe] = []

    let leaked = Lifetimes.leaks { lifetimes in
      kept = [lifetimes.probe("kept"), lifetimes.probe("kept, too")]
      _ = lifetimes.probe("gone")
    }

    #expect(leaked == ["kept", "kept, too"])
    withExtendedLifetime(kept) {}
  }

  @Test("A probe is alive as long as a closure or a value retains it")
  func probes() {
    let lifetimes = Lifetimes()
    var closure: (() -> String)?
    var values: [Probe] = []
    do {
      let captured = lifetimes.probe("captured")
      closure = { captured.name }
      values = [lifetimes.probe("sent")]
    }
    let before = lifetimes.living

    closure = nil
    values = []

    #expect(before == ["captured", "sent"])
    #expect(lifetimes.living.isEmpty)
    #expect(closure == nil && values.isEmpty)
  }

  @Test("A tracked object without a name is listed by its type")
  func types() {
    let lifetimes = Lifetimes()
    let journal = lifetimes.track(Journal())

    #expect(lifetimes.living == ["Journal"])
    withExtendedLifetime(journal) {}
  }

  @Test("`Lifetimes.endingWhatIsLeft` cancels open streams and drops scheduled actions")
  func ends() {
    let script = Script(Int.self, failure: Never.self)
    script.keepsSubscribers = false

    let leaked = Lifetimes.leaks { lifetimes in
      Lifetimes.endingWhatIsLeft {
        let scheduler = lifetimes.track(VirtualScheduler.virtual)
        lifetimes.track(script.delay(for: 1, scheduler: scheduler).prefix { $0 > 0 }.record())
        script.say(1)
      }
    }

    #expect(leaked == [])
    #expect(script.cancellations == 1)
  }

  @Test("`Lifetimes.endingWhatIsLeft` cancels neither ended nor earlier subscriptions")
  func spares() {
    let (over, before) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Never.self))
    let recorder = before.record()

    Lifetimes.endingWhatIsLeft {
      let ended = over.record()
      over.end()
      #expect(ended.completions.count == 1)
    }
    before.say(1)

    #expect(over.cancellations == 0)
    #expect(before.cancellations == 0)
    #expect(recorder.values == [1])
    recorder.cancel()
  }

  @Test("Asynchronous `Lifetimes.endingWhatIsLeft` cancels open streams after its body")
  func endsLater() async {
    let script = Script(Int.self, failure: Never.self)

    await Lifetimes.endingWhatIsLeft {
      let recorder = script.record()
      script.say(1)
      _ = await recorder.received(1)
    }

    #expect(script.cancellations == 1)
  }
}
