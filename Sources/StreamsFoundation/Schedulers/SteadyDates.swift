internal import Dispatch
package import Foundation
internal import Streams

/// Dates by a clock that is never set: delays keep their length, even if the wall clock is set while they wait.
package struct SteadyDates: Sendable {
  /// How far the wall clock is ahead. It is read anew only if it is set: dates that are equal stay equal.
  private var lead: TimeInterval = 0

  package init() {}

  /// The steady date that is as far away as `date` is by the wall clock.
  ///
  /// - Parameter spread: How long it took to read both clocks. A busy machine may do something else in between, which does not
  ///   mean that the wall clock was set.
  package mutating func date(for date: Date, wallClock: Date, now: Date, spread: TimeInterval = 0) -> Date {
    let present = wallClock.timeIntervalSince(now)
    if abs(present - lead) > 0.01 + spread { lead = present }
    return date - lead
  }

  // MARK: Of the process

  private static let shared = Guarded(SteadyDates())
  private static let start = (date: Date(), time: DispatchTime.now())

  package static var now: Date {
    let start = start  // before the present: the first use sets it
    let passed = DispatchTime.now().uptimeNanoseconds - start.time.uptimeNanoseconds
    return start.date + TimeInterval(passed) / 1e9
  }

  package static func date(for date: Date) -> Date {
    let before = now
    let wallClock = Date()
    let spread = now.timeIntervalSince(before)
    return shared.withLock { $0.date(for: date, wallClock: wallClock, now: before, spread: spread) }
  }
}
