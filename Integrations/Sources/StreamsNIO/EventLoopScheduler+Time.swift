public import NIOCore
public import Streams

extension EventLoopScheduler {
  /// A point in the time of an event loop.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// The same as a deadline.
    public let deadline: NIODeadline

    /// Creates the point in time at `deadline`.
    public init(_ deadline: NIODeadline) { self.deadline = deadline }

    public func distance(to other: SchedulerTimeType) -> Stride {
      // Both are between 0 and the greatest 64-bit integer.
      Stride(nanoseconds: Int64(other.deadline.uptimeNanoseconds) - Int64(deadline.uptimeNanoseconds))
    }

    /// The result is clamped to what a deadline can express.
    public func advanced(by stride: Stride) -> SchedulerTimeType {
      let (sum, overflow) = Int64(deadline.uptimeNanoseconds).addingReportingOverflow(stride.nanoseconds)
      return SchedulerTimeType(.uptimeNanoseconds(overflow ? UInt64(Int64.max) : UInt64(max(0, sum))))
    }
  }
}

extension EventLoopScheduler.SchedulerTimeType {
  /// A length of time of an event loop. Literals are seconds. Lengths are clamped to what nanoseconds can express.
  public struct Stride: Hashable, Sendable {
    /// The length in nanoseconds.
    public let nanoseconds: Int64

    /// Creates a length in nanoseconds.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Creates a length from one of SwiftNIO's.
    public init(_ amount: TimeAmount) { nanoseconds = amount.nanoseconds }

    /// The same for SwiftNIO.
    public var timeAmount: TimeAmount { .nanoseconds(nanoseconds) }
  }
}

extension EventLoopScheduler.SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  public static func seconds(_ seconds: Int) -> Self { Self(seconds, unit: 1_000_000_000) }
  public static func milliseconds(_ milliseconds: Int) -> Self { Self(milliseconds, unit: 1_000_000) }
  public static func microseconds(_ microseconds: Int) -> Self { Self(microseconds, unit: 1000) }
  public static func nanoseconds(_ nanoseconds: Int) -> Self { Self(nanoseconds, unit: 1) }

  /// NaN counts as zero.
  public static func seconds(_ seconds: Double) -> Self {
    let nanoseconds = (seconds * 1e9).rounded()
    if nanoseconds.isNaN { return zero }
    return Self(nanoseconds: Int64(exactly: nanoseconds) ?? (seconds < 0 ? .min : .max))
  }

  private init(_ count: Int, unit: Int64) {
    let (product, overflow) = Int64(count).multipliedReportingOverflow(by: unit)
    nanoseconds = overflow ? (count < 0 ? .min : .max) : product
  }
}

extension EventLoopScheduler.SchedulerTimeType.Stride: SignedNumeric, Comparable, ExpressibleByFloatLiteral {
  public init(integerLiteral seconds: Int) { self = .seconds(seconds) }
  public init(floatLiteral seconds: Double) { self = .seconds(seconds) }
  public init?<Source: BinaryInteger>(exactly seconds: Source) {
    guard let seconds = Int(exactly: seconds) else { return nil }
    self = .seconds(seconds)
  }

  public static var zero: Self { Self(nanoseconds: 0) }
  public var magnitude: Self { nanoseconds < 0 ? .zero - self : self }

  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  public static func + (left: Self, right: Self) -> Self {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
    return Self(nanoseconds: overflow ? (left.nanoseconds < 0 ? .min : .max) : sum)
  }

  public static func - (left: Self, right: Self) -> Self {
    let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    return Self(nanoseconds: overflow ? (left.nanoseconds < 0 ? .min : .max) : difference)
  }

  /// The product of the two numbers of seconds, in seconds.
  public static func * (left: Self, right: Self) -> Self {
    .seconds(Double(left.nanoseconds) / 1e9 * (Double(right.nanoseconds) / 1e9))
  }

  public static func += (left: inout Self, right: Self) { left = left + right }
  public static func -= (left: inout Self, right: Self) { left = left - right }
  public static func *= (left: inout Self, right: Self) { left = left * right }
}
