// The members of system structures belong to one of these modules: the one that the compiler has loaded first.
#if canImport(Glibc)
  internal import Glibc
#endif
#if canImport(CoreFoundation)
  internal import CoreFoundation
#endif
#if canImport(CDispatch)
  internal import CDispatch
#endif
internal import Foundation

/// A point in time on a clock that continues while the machine sleeps.
///
/// Cheaper than `ContinuousClock.Instant`, whose size is looked up at run time.
package struct MonotonicInstant: Comparable {
  private let sinceStart: Duration

  package static var now: MonotonicInstant {
    var time = timespec()
    #if os(Linux)
      clock_gettime(CLOCK_BOOTTIME, &time)
    #else
      clock_gettime(CLOCK_MONOTONIC, &time)
    #endif
    return MonotonicInstant(
      sinceStart: Duration(
        secondsComponent: Int64(time.tv_sec), attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000))
  }

  package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.sinceStart < right.sinceStart
  }

  package static func + (moment: MonotonicInstant, duration: Duration) -> MonotonicInstant {
    MonotonicInstant(sinceStart: moment.sinceStart + duration)
  }

  package func duration(to later: MonotonicInstant) -> Duration { later.sinceStart - sinceStart }
}

extension Duration {
  /// From zero to a century, so that nanoseconds fit into an `Int`, and sums and products do not overflow.
  package var bounded: Duration { min(max(self, .zero), .seconds(36_525 * 86_400)) }
}
