import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// One after another: the tools see the drops of the whole process.
@Suite("Watches for drops", .serialized, .leavesNothing)
struct DropWatchTests {
  @Test("A chain that drops a thousand values looks at a watch of another chain three times")
  func others() {
    let other = SubscriptionThatIsAsked()
    let watch = DropWatch(above: other) { _ in Issue.record("not below") }
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.map { $0 }.record(demand: .none)

    for value in 1...1_000 { subject.send(value) }

    #expect(other.timesAsked == 3)
    withExtendedLifetime((watch, recorder)) {}
  }

  @Test("A watch that begins after the first drop, or after another has ended, receives the next drop")
  func later() {
    let subject = PassthroughSubject<Int, Never>()
    var drops: [String] = []
    let place = subject.map { $0 }
    let first = place.handleDrops { drops.append("first \($0.value)") }.record(demand: .none)
    subject.send(1)

    first.cancel()
    let second = place.handleDrops { drops.append("second \($0.value)") }.record(demand: .none)
    subject.send(2)

    #expect(drops == ["first 1", "second 2"])
    withExtendedLifetime(second) {}
  }

  @Test("A dropper is still known after a thousand others have come and gone")
  func forgotten() {
    let subject = PassthroughSubject<Int, Never>()
    var drops = 0
    let recorder = subject.handleDrops { _ in drops += 1 }.record(demand: .none)

    for _ in 1...1_000 {
      let short = PassthroughSubject<Int, Never>()
      let brief = short.record(demand: .none)
      short.send(1)
      brief.cancel()
      subject.send(1)
    }

    #expect(drops == 1_000)
    withExtendedLifetime(recorder) {}
  }
}

private final class SubscriptionThatIsAsked: Subscription, UpstreamsVisible {
  var timesAsked = 0
  var upstreamSubscriptions: [any Subscription] {
    timesAsked += 1
    return []
  }

  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}
}
