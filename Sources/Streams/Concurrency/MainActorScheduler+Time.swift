extension MainActorScheduler {
  /// A point in the main actor's time: nanoseconds of uptime.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    /// The nanoseconds since the machine was started, not counting those it slept.
    public let uptimeNanoseconds: Int

    /// The point in time so many nanoseconds after the start of the machine.
    public init(uptimeNanoseconds: Int) { self.uptimeNanoseconds = uptimeNanoseconds }

    /// The time from here to `other`.
    public func distance(to other: SchedulerTimeType) -> Stride {
      .nanoseconds(other.uptimeNanoseconds.minus(uptimeNanoseconds))
    }

    /// The point `stride` later. Beyond the last one there is none: it stays the last.
    public func advanced(by stride: Stride) -> SchedulerTimeType {
      SchedulerTimeType(uptimeNanoseconds: uptimeNanoseconds.plus(stride.magnitude))
    }
  }
}

extension MainActorScheduler.SchedulerTimeType {
  /// A length of time in whole nanoseconds. What is too long to be told is as long as can be: some 292 years.
  ///
  /// Literals are seconds, and `stride * 3` is three times as long.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
    ExpressibleByFloatLiteral,
    Hashable, Codable, Sendable
  {
    /// The nanoseconds, negative if the stride leads into the past.
    public private(set) var magnitude: Int

    public init(integerLiteral seconds: Int) { self = .seconds(seconds) }
    public init(floatLiteral seconds: Double) { self = .seconds(seconds) }

    /// So many nanoseconds, or `nil` if they are too many.
    public init?<Source: BinaryInteger>(exactly nanoseconds: Source) {
      guard let nanoseconds = Int(exactly: nanoseconds) else { return nil }
      magnitude = nanoseconds
    }

    private init(_ count: Int, of nanoseconds: Int) {
      let (product, overflows) = count.multipliedReportingOverflow(by: nanoseconds)
      magnitude = !overflows ? product : count < 0 ? .min : .max
    }

    public static func seconds(_ seconds: Int) -> Stride { Stride(seconds, of: 1_000_000_000) }
    public static func milliseconds(_ milliseconds: Int) -> Stride { Stride(milliseconds, of: 1_000_000) }
    public static func microseconds(_ microseconds: Int) -> Stride { Stride(microseconds, of: 1_000) }
    public static func nanoseconds(_ nanoseconds: Int) -> Stride { Stride(nanoseconds, of: 1) }

    /// So many seconds, rounded to nanoseconds. What is no number is no time.
    public static func seconds(_ seconds: Double) -> Stride {
      let nanoseconds = (seconds * 1_000_000_000).rounded()
      if nanoseconds.isNaN { return .zero }
      return .nanoseconds(Int(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
    }

    public static func < (left: Stride, right: Stride) -> Bool { left.magnitude < right.magnitude }

    public static func + (left: Stride, right: Stride) -> Stride {
      .nanoseconds(left.magnitude.plus(right.magnitude))
    }

    public static func - (left: Stride, right: Stride) -> Stride {
      .nanoseconds(left.magnitude.minus(right.magnitude))
    }

    public static func * (left: Stride, right: Stride) -> Stride {
      .seconds(Double(left.magnitude) / 1e9 * (Double(right.magnitude) / 1e9))
    }

    public static func += (left: inout Stride, right: Stride) { left = left + right }
    public static func -= (left: inout Stride, right: Stride) { left = left - right }
    public static func *= (left: inout Stride, right: Stride) { left = left * right }

    /// The opposite length.
    public prefix static func - (stride: Stride) -> Stride { .zero - stride }
  }
}

extension Int {
  /// The sum, or the number nearest to it.
  fileprivate func plus(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return !overflows ? sum : self < 0 ? .min : .max
  }

  /// The difference, or the number nearest to it.
  fileprivate func minus(_ other: Int) -> Int {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return !overflows ? difference : self < 0 ? .min : .max
  }
}
