public import Foundation
public import Streams

extension RunLoop {
  /// A point in the time of a scheduler that uses dates, such as run loops and operation queues.
  ///
  /// Each scheduler has a type of its own, so that you can extend one and not the other.
  public protocol WallTime: Strideable, Codable, Hashable, Sendable where Stride: WallTimeStride {
    /// The same as a date.
    var date: Date { get set }

    /// The point in time that `date` is.
    init(_ date: Date)
  }

  /// A length of ``WallTime`` in seconds.
  ///
  /// Literals are seconds: `scheduler.now.advanced(by: 0.5)`.
  public protocol WallTimeStride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
    ExpressibleByFloatLiteral,
    Hashable, Codable, Sendable
  where Magnitude == TimeInterval, IntegerLiteralType == TimeInterval, FloatLiteralType == TimeInterval {
    /// The seconds, negative towards the past.
    var magnitude: TimeInterval { get set }

    /// A number of seconds.
    init(_ seconds: TimeInterval)
  }
}

extension RunLoop.WallTime {
  /// The time from here to `other`.
  public func distance(to other: Self) -> Stride { Stride(other.date.timeIntervalSince(date)) }

  /// The point `stride` later.
  public func advanced(by stride: Stride) -> Self { Self(date + stride.timeInterval) }

  /// The date, or the last one that can be waited for.
  var reachable: Date {
    let seconds = date.timeIntervalSinceReferenceDate
    if seconds.isNaN { return Date() }
    return min(max(date, .distantPast), .distantFuture)
  }
}

extension RunLoop.WallTimeStride {
  /// The seconds: the same as `magnitude`.
  public var timeInterval: TimeInterval { magnitude }

  public init(integerLiteral seconds: TimeInterval) { self.init(seconds) }

  public init(floatLiteral seconds: TimeInterval) { self.init(seconds) }

  /// A number of seconds, or `nil` if it is not exact as a `TimeInterval`.
  public init?<Source: BinaryInteger>(exactly seconds: Source) {
    guard let seconds = TimeInterval(exactly: seconds) else { return nil }
    self.init(seconds)
  }

  public static func seconds(_ seconds: Int) -> Self { Self(TimeInterval(seconds)) }
  public static func seconds(_ seconds: Double) -> Self { Self(seconds) }
  public static func milliseconds(_ milliseconds: Int) -> Self { Self(TimeInterval(milliseconds) / 1e3) }
  public static func microseconds(_ microseconds: Int) -> Self { Self(TimeInterval(microseconds) / 1e6) }
  public static func nanoseconds(_ nanoseconds: Int) -> Self { Self(TimeInterval(nanoseconds) / 1e9) }

  public static func < (left: Self, right: Self) -> Bool { left.magnitude < right.magnitude }

  public static func + (left: Self, right: Self) -> Self { Self(left.magnitude + right.magnitude) }
  public static func - (left: Self, right: Self) -> Self { Self(left.magnitude - right.magnitude) }

  /// The product in seconds: `stride * 3` is three times as long.
  public static func * (left: Self, right: Self) -> Self { Self(left.magnitude * right.magnitude) }

  public static func += (left: inout Self, right: Self) { left = left + right }
  public static func -= (left: inout Self, right: Self) { left = left - right }
  public static func *= (left: inout Self, right: Self) { left = left * right }

  /// The seconds from one run to the next: at least a tenth of a millisecond, the resolution of timers.
  var period: TimeInterval {
    timeInterval.isNaN
      ? 1e-4 : min(max(timeInterval, 1e-4), Date.distantFuture.timeIntervalSinceReferenceDate)
  }

  /// The seconds that a timer may be late.
  var leeway: TimeInterval { timeInterval.isNaN ? 0 : min(max(timeInterval, 0), 1e9) }
}
