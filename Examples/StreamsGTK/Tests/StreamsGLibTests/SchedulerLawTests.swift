import Streams
import StreamsGLib
import StreamsTesting
import Testing

@Suite("With a main loop of GLib, the laws hold of")
struct SchedulerLawTests {
  /// As with every scheduler, and in Combine.
  private static let surplus = [Law.h28: "it counts no demand: its upstream does"]

  @Test("receive(on:)")
  func receiveOn() {
    check(exempt: Self.surplus) { upstream, scheduler in upstream.receive(on: scheduler) }
  }

  @Test("subscribe(on:)")
  func subscribeOn() {
    let later = [Law.c02: "it subscribes later: that is what it is for"]
    check(exempt: Self.surplus.merging(later) { $1 }) { upstream, scheduler in
      upstream.subscribe(on: scheduler)
    }
  }

  @Test("delay")
  func delay() {
    check(exempt: Self.surplus) { upstream, scheduler in upstream.delay(for: 1, scheduler: scheduler) }
  }

  @Test("debounce")
  func debounce() {
    check([.losesUnasked, .thinsOut]) { upstream, scheduler in upstream.debounce(for: 1, scheduler: scheduler)
    }
  }

  @Test("throttle")
  func throttle() {
    check([.losesUnasked, .thinsOut]) { upstream, scheduler in
      upstream.throttle(for: 1, scheduler: scheduler, latest: true)
    }
  }

  private func check<P: Publisher>(
    _ options: LawOptions = [], exempt reasons: [Law: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ make: (Script<Int, TestFailure>, Pumped) -> P
  ) where P.Output: Equatable {
    let report = checkLaws(options, exempt: reasons) { upstream, time in
      make(upstream, Pumped(loop: Loop(), time: time))
    }

    #expect(report.violations.isEmpty, "\(report)", sourceLocation: sourceLocation)
    #expect(report.stale.isEmpty, "\(report)", sourceLocation: sourceLocation)
    #expect(report.kept.count > 20, "\(report)", sourceLocation: sourceLocation)
  }
}
