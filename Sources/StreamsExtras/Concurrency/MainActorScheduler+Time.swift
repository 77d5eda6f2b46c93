extension MainActorScheduler {
  /// A point in time: nanoseconds of uptime.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    /// The nanoseconds since the system started, without the time it was asleep.
    public let uptimeNanoseconds: Int

    /// Creates the point in time this many nanoseconds after the system started.
    public init(uptimeNanoseconds: Int) { self.uptimeNanoseconds = uptimeNanoseconds }

    /// Returns the time from here to `other`.
    public func distance(to other: SchedulerTimeType) -> Stride {
      .nanoseconds(other.uptimeNanoseconds.minus(uptimeNanoseconds))
    }

    /// Returns the point in time `stride` later. The result is clamped to what can be represented.
    public func advanced(by stride: Stride) -> SchedulerTimeType {
      SchedulerTimeType(uptimeNanoseconds: uptimeNanoseconds.plus(stride.magnitude))
    }
  }
}

extension MainActorScheduler.SchedulerTimeType {
  /// A length of time in whole nanoseconds, clamped to about 292 years.
  ///
  /// Literals are seconds, and `stride * 3` is three times as long.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
    ExpressibleByFloatLiteral,
    Hashable, Codable, Sendable
  {
    /// The nanoseconds. Negative for a stride into the past.
    public private(set) var magnitude: Int

    public init(integerLiteral seconds: Int) { self = .seconds(seconds) }
    public init(floatLiteral seconds: Double) { self = .seconds(seconds) }

    /// Creates a stride of this many nanoseconds, or `nil` if the number does not fit.
    public init?<Source: BinaryInteger>(exactly nanoseconds: Source) {
      guard let nanoseconds = Int(exactly: nanoseconds) else { return nil }
      magnitude = nanoseconds
    }

    private init(_ count: Int, of nanoseconds: Int) { magnitude = count.times(unit: nanoseconds) }

    public static func seconds(_ seconds: Int) -> Stride { Stride(seconds, of: 1_000_000_000) }
    public static func milliseconds(_ milliseconds: Int) -> Stride { Stride(milliseconds, of: 1_000_000) }
    public static func microseconds(_ microseconds: Int) -> Stride { Stride(microseconds, of: 1_000) }
    public static func nanoseconds(_ nanoseconds: Int) -> Stride { Stride(nanoseconds, of: 1) }

    /// Returns this many seconds, rounded to nanoseconds. Not a number counts as zero.
    public static func seconds(_ seconds: Double) -> Stride {
      .nanoseconds(Int(nanosecondsOf: seconds))
    }

    public static func < (left: Stride, right: Stride) -> Bool { left.magnitude < right.magnitude }

    public static func + (left: Stride, right: Stride) -> Stride {
      .nanoseconds(left.magnitude.plus(right.magnitude))
    }

    public static func - (left: Stride, right: Stride) -> Stride {
      .nanoseconds(left.magnitude.minus(right.magnitude))
    }

    public static func * (left: Stride, right: Stride) -> Stride {
      .nanoseconds(left.magnitude.timesSeconds(right.magnitude))
    }

    public static func += (left: inout Stride, right: Stride) { left = left + right }
    public static func -= (left: inout Stride, right: Stride) { left = left - right }
    public static func *= (left: inout Stride, right: Stride) { left = left * right }

    /// Returns the negated stride.
    public prefix static func - (stride: Stride) -> Stride { .zero - stride }
  }
}
