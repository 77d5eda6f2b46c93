import NIOCore
import NIOEmbedded
import Streams
import StreamsNIO
import StreamsTesting
import Testing

@Suite("Laws on an event loop")
struct SchedulerLawTests {
  /// As with every scheduler, and in Combine.
  private static let surplus = [Law.h28: "it counts no demand: its upstream does"]

  @Test("`receive(on:)` keeps the laws on an event loop")
  func receiveOn() {
    check(exempt: Self.surplus) { upstream, scheduler in upstream.receive(on: scheduler) }
  }

  @Test("`subscribe(on:)` keeps the laws on an event loop")
  func subscribeOn() {
    let later = [Law.c02: "it subscribes later: that is what it is for"]
    check(exempt: Self.surplus.merging(later) { $1 }) { upstream, scheduler in
      upstream.subscribe(on: scheduler)
    }
  }

  @Test("`delay` keeps the laws on an event loop")
  func delay() {
    check(exempt: Self.surplus) { upstream, scheduler in upstream.delay(for: 1, scheduler: scheduler) }
  }

  @Test("`debounce` keeps the laws on an event loop")
  func debounce() {
    check([.losesUnasked, .thinsOut]) { upstream, scheduler in
      upstream.debounce(for: 1, scheduler: scheduler)
    }
  }

  @Test("`throttle` keeps the laws on an event loop")
  func throttle() {
    check([.losesUnasked, .thinsOut]) { upstream, scheduler in
      upstream.throttle(for: 1, scheduler: scheduler, latest: true)
    }
  }

  @Test("The publisher of a future keeps the laws as the last step of a chain")
  func future() {
    let report = checkLaws { upstream in
      upstream.flatMap(maxPublishers: .max(1)) { value in
        EmbeddedEventLoop().makeSucceededFuture(value).publisher.assertNoFailure()
      }
    }

    #expect(report.violations.isEmpty, "\(report)")
    #expect(report.kept.count > 20, "\(report)")
  }

  private func check<P: Publisher>(
    _ options: LawOptions = [], exempt reasons: [Law: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ make: (Script<Int, TestFailure>, EmbeddedTime) -> P
  ) where P.Output: Equatable {
    let report = checkLaws(options, exempt: reasons) { upstream, time in
      make(upstream, EmbeddedTime(loop: EmbeddedEventLoop(), time: time))
    }

    #expect(report.violations.isEmpty, "\(report)", sourceLocation: sourceLocation)
    #expect(report.stale.isEmpty, "\(report)", sourceLocation: sourceLocation)
    #expect(report.kept.count > 20, "\(report)", sourceLocation: sourceLocation)
  }
}
