import Foundation

/// A point in time, as the thread of the loop counts it: by a clock that goes on while the machine sleeps.
///
/// In place of `ContinuousClock.Instant`, which is looked up and copied through tables, several times for each load.
struct Moment: Comparable {
  private let sinceStart: Duration

  static var now: Moment {
    var time = timespec()
    #if os(Linux)
      clock_gettime(CLOCK_BOOTTIME, &time)
    #else
      clock_gettime(CLOCK_MONOTONIC, &time)
    #endif
    return Moment(
      sinceStart: Duration(
        secondsComponent: Int64(time.tv_sec), attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000))
  }

  static func < (left: Moment, right: Moment) -> Bool { left.sinceStart < right.sinceStart }

  static func + (moment: Moment, duration: Duration) -> Moment {
    Moment(sinceStart: moment.sinceStart + duration)
  }

  func duration(to later: Moment) -> Duration { later.sinceStart - sinceStart }
}
