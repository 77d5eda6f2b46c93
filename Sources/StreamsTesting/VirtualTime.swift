public import Streams

/// A point in a time that only a test moves. It starts at zero.
public struct VirtualTime: Strideable, Hashable, Sendable {
  /// The time since zero.
  public let elapsed: Stride

  /// The time that long after zero.
  public init(_ elapsed: Stride = 0) { self.elapsed = elapsed }

  public static func < (left: Self, right: Self) -> Bool { left.elapsed < right.elapsed }
  public static func == (left: Self, right: Self) -> Bool { left.elapsed == right.elapsed }
  public func distance(to other: Self) -> Stride { other.elapsed - elapsed }
  public func advanced(by stride: Stride) -> Self { Self(elapsed + stride) }
}

extension VirtualTime: CustomStringConvertible {
  public var description: String { elapsed.description }
}

extension VirtualTime {
  /// A length of virtual time. Literals are seconds. Lengths are clamped to what nanoseconds can express.
  public struct Stride: Hashable, Sendable {
    /// The length in nanoseconds.
    public let nanoseconds: Int

    /// A length in nanoseconds.
    public init(nanoseconds: Int) { self.nanoseconds = nanoseconds }
  }
}

extension VirtualTime.Stride: SchedulerTimeIntervalConvertible {
  public static func seconds(_ seconds: Int) -> Self { Self(seconds, unit: 1_000_000_000) }
  public static func milliseconds(_ milliseconds: Int) -> Self { Self(milliseconds, unit: 1_000_000) }
  public static func microseconds(_ microseconds: Int) -> Self { Self(microseconds, unit: 1000) }
  public static func nanoseconds(_ nanoseconds: Int) -> Self { Self(nanoseconds: nanoseconds) }

  /// NaN counts as zero.
  public static func seconds(_ seconds: Double) -> Self {
    Self(nanoseconds: Int(nanosecondsOf: seconds))
  }

  private init(_ count: Int, unit: Int) { nanoseconds = count.times(unit: unit) }
}

extension VirtualTime.Stride: SignedNumeric, Comparable, ExpressibleByFloatLiteral {
  public init(integerLiteral seconds: Int) { self = .seconds(seconds) }
  public init(floatLiteral seconds: Double) { self = .seconds(seconds) }
  public init?<Source: BinaryInteger>(exactly seconds: Source) {
    guard let seconds = Int(exactly: seconds) else { return nil }
    self = .seconds(seconds)
  }

  public var magnitude: Self { nanoseconds < 0 ? 0 - self : self }

  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

  public static func + (left: Self, right: Self) -> Self {
    Self(nanoseconds: left.nanoseconds.plus(right.nanoseconds))
  }

  public static func - (left: Self, right: Self) -> Self {
    Self(nanoseconds: left.nanoseconds.minus(right.nanoseconds))
  }

  /// The product of the two numbers of seconds, in seconds.
  public static func * (left: Self, right: Self) -> Self {
    Self(nanoseconds: left.nanoseconds.timesSeconds(right.nanoseconds))
  }

  public static func += (left: inout Self, right: Self) { left = left + right }
  public static func -= (left: inout Self, right: Self) { left = left - right }
  public static func *= (left: inout Self, right: Self) { left = left * right }
}

extension VirtualTime.Stride: CustomStringConvertible {
  public var description: String { "\(Double(nanoseconds) / 1e9) s" }
}
