public import Dispatch
public import Streams

extension DispatchQueue.SchedulerTimeType {
  /// A length of time in whole nanoseconds.
  ///
  /// Literals are seconds: `queue.now.advanced(by: 0.5)`. Strides are clamped to some 292 years, the limit of nanoseconds.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
    ExpressibleByFloatLiteral,
    Hashable, Codable, Sendable
  {
    /// The nanoseconds, negative towards the past.
    public var magnitude: Int

    /// The value of Dispatch.
    public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

    /// As long as `timeInterval`. `never` becomes the longest stride.
    public init(_ timeInterval: DispatchTimeInterval) {
      switch timeInterval {
      case .seconds(let seconds): self = .seconds(seconds)
      case .milliseconds(let milliseconds): self = .milliseconds(milliseconds)
      case .microseconds(let microseconds): self = .microseconds(microseconds)
      case .nanoseconds(let nanoseconds): self = .nanoseconds(nanoseconds)
      case .never: self = .nanoseconds(.max)
      @unknown default: self = .nanoseconds(.max)
      }
    }

    public init(integerLiteral seconds: Int) { self = .seconds(seconds) }

    public init(floatLiteral seconds: Double) { self = .seconds(seconds) }

    /// A number of seconds, like a literal, or `nil` if it does not fit into an `Int`.
    public init?<Source: BinaryInteger>(exactly seconds: Source) {
      guard let seconds = Int(exactly: seconds) else { return nil }
      self = .seconds(seconds)
    }

    /// Combine's name for the nanoseconds, so that encoded strides are compatible.
    private enum CodingKeys: String, CodingKey {
      case magnitude = "_nanoseconds"
    }

    private init(_ count: Int, of nanoseconds: Int) { magnitude = count.times(unit: nanoseconds) }

    public static func seconds(_ seconds: Int) -> Stride { Stride(seconds, of: 1_000_000_000) }
    public static func milliseconds(_ milliseconds: Int) -> Stride { Stride(milliseconds, of: 1_000_000) }
    public static func microseconds(_ microseconds: Int) -> Stride { Stride(microseconds, of: 1_000) }
    public static func nanoseconds(_ nanoseconds: Int) -> Stride { Stride(nanoseconds, of: 1) }

    /// A number of seconds, rounded to nanoseconds. NaN becomes zero.
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

    /// The product in seconds: `stride * 3` is three times as long.
    public static func * (left: Stride, right: Stride) -> Stride {
      .nanoseconds(left.magnitude.timesSeconds(right.magnitude))
    }

    public static func += (left: inout Stride, right: Stride) { left = left + right }
    public static func -= (left: inout Stride, right: Stride) { left = left - right }
    public static func *= (left: inout Stride, right: Stride) { left = left * right }

    /// The opposite length.
    public prefix static func - (stride: Stride) -> Stride { .zero - stride }
  }
}
