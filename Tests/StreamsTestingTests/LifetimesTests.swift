import Streams
import StreamsTesting
import Testing

@Suite("Lifetimes")
struct LifetimesTests {
  @Test("name what outlived the body")
  func names() {
    var kept: [Probe] = []

    let leaked = Lifetimes.leaks { lifetimes in
      kept = [lifetimes.probe("kept"), lifetimes.probe("kept, too")]
      _ = lifetimes.probe("gone")
    }

    #expect(leaked == ["kept", "kept, too"])
    withExtendedLifetime(kept) {}
  }

  @Test("follow a probe into a closure and a value")
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

  @Test("call an object by its type if they know no name")
  func types() {
    let lifetimes = Lifetimes()
    let journal = lifetimes.track(Journal())

    #expect(lifetimes.living == ["Journal"])
    withExtendedLifetime(journal) {}
  }
}
