public import Foundation
public import Streams

/// A point in the time of a scheduler that goes by dates.
///
/// Users meet it as `RunLoop.SchedulerTimeType` and `OperationQueue.SchedulerTimeType`: two types, since the owners
/// differ, with one implementation.
public struct WallTime<Owner>: Strideable, Codable, Hashable, Sendable {
  /// The same as a date.
  public var date: Date

  /// The point in time that `date` is.
  public init(_ date: Date) { self.date = date }

  /// The time from here to `other`.
  public func distance(to other: WallTime) -> Stride { Stride(other.date.timeIntervalSince(date)) }

  /// The point `stride` later.
  public func advanced(by stride: Stride) -> WallTime { WallTime(date + stride.timeInterval) }

  /// A length of time in seconds.
  ///
  /// Literals are seconds: `scheduler.now.advanced(by: 0.5)`.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
    ExpressibleByFloatLiteral,
    Hashable, Codable, Sendable
  {
    /// The seconds, negative if the stride leads into the past.
    public var magnitude: TimeInterval

    /// The same as ``magnitude``.
    public var timeInterval: TimeInterval { magnitude }

    /// So many seconds.
    public init(_ seconds: TimeInterval) { magnitude = seconds }

    public init(integerLiteral seconds: TimeInterval) { magnitude = seconds }

    public init(floatLiteral seconds: TimeInterval) { magnitude = seconds }

    /// So many seconds, or `nil` if a `TimeInterval` cannot tell them exactly.
    public init?<Source: BinaryInteger>(exactly seconds: Source) {
      guard let seconds = TimeInterval(exactly: seconds) else { return nil }
      magnitude = seconds
    }

    public static func seconds(_ seconds: Int) -> Stride { Stride(TimeInterval(seconds)) }
    public static func seconds(_ seconds: Double) -> Stride { Stride(seconds) }
    public static func milliseconds(_ milliseconds: Int) -> Stride {
      Stride(TimeInterval(milliseconds) / 1e3)
    }
    public static func microseconds(_ microseconds: Int) -> Stride {
      Stride(TimeInterval(microseconds) / 1e6)
    }
    public static func nanoseconds(_ nanoseconds: Int) -> Stride { Stride(TimeInterval(nanoseconds) / 1e9) }

    public static func < (left: Stride, right: Stride) -> Bool { left.magnitude < right.magnitude }

    public static func + (left: Stride, right: Stride) -> Stride { Stride(left.magnitude + right.magnitude) }
    public static func - (left: Stride, right: Stride) -> Stride { Stride(left.magnitude - right.magnitude) }

    /// The product in seconds: `stride * 3` is three times as long.
    public static func * (left: Stride, right: Stride) -> Stride { Stride(left.magnitude * right.magnitude) }

    public static func += (left: inout Stride, right: Stride) { left = left + right }
    public static func -= (left: inout Stride, right: Stride) { left = left - right }
    public static func *= (left: inout Stride, right: Stride) { left = left * right }
  }
}

extension WallTime {
  /// The date, if it can be waited for. Beyond that, the last one that can.
  var reachable: Date {
    let seconds = date.timeIntervalSinceReferenceDate
    if seconds.isNaN { return Date() }
    return min(max(date, .distantPast), .distantFuture)
  }
}

extension WallTime.Stride {
  /// The seconds from one run to the next: at least the tenth of a millisecond that timers can tell.
  var period: TimeInterval {
    timeInterval.isNaN
      ? 1e-4 : min(max(timeInterval, 1e-4), Date.distantFuture.timeIntervalSinceReferenceDate)
  }

  /// The seconds that a timer may be late.
  var leeway: TimeInterval { timeInterval.isNaN ? 0 : min(max(timeInterval, 0), 1e9) }
}
