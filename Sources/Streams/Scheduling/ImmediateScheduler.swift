/// A scheduler that runs every action immediately, whatever its date.
public struct ImmediateScheduler: Scheduler, Sendable {
  public typealias SchedulerOptions = Never

  /// The shared scheduler.
  public static let shared = ImmediateScheduler()

  init() {}

  /// A point in a time that does not pass.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
    init() {}

    public func distance(to other: SchedulerTimeType) -> Stride { Stride(0) }
    public func advanced(by distance: Stride) -> SchedulerTimeType { self }

    /// A length of time, which has no effect.
    public struct Stride: Comparable, SignedNumeric, ExpressibleByFloatLiteral, Codable, Hashable, Sendable,
      SchedulerTimeIntervalConvertible
    {
      /// A number, which is zero for every length that is created from a unit.
      public var magnitude: Int

      /// Creates a length of time with a magnitude.
      @inlinable public init(_ value: Int) { magnitude = value }
      @inlinable public init(integerLiteral value: Int) { self.init(value) }
      @inlinable public init(floatLiteral value: Double) { self.init(Int(value)) }

      @inlinable
      public init?<Source: BinaryInteger>(exactly source: Source) {
        guard let value = Int(exactly: source) else { return nil }
        self.init(value)
      }

      @inlinable public static func < (left: Stride, right: Stride) -> Bool {
        left.magnitude < right.magnitude
      }
      @inlinable public static func + (left: Stride, right: Stride) -> Stride {
        Stride(left.magnitude + right.magnitude)
      }
      @inlinable public static func - (left: Stride, right: Stride) -> Stride {
        Stride(left.magnitude - right.magnitude)
      }
      @inlinable public static func * (left: Stride, right: Stride) -> Stride {
        Stride(left.magnitude * right.magnitude)
      }
      @inlinable public static func += (left: inout Stride, right: Stride) { left = left + right }
      @inlinable public static func -= (left: inout Stride, right: Stride) { left = left - right }
      @inlinable public static func *= (left: inout Stride, right: Stride) { left = left * right }

      public static func seconds(_: Int) -> Stride { Stride(0) }
      public static func seconds(_: Double) -> Stride { Stride(0) }
      public static func milliseconds(_: Int) -> Stride { Stride(0) }
      public static func microseconds(_: Int) -> Stride { Stride(0) }
      public static func nanoseconds(_: Int) -> Stride { Stride(0) }
    }
  }

  public var now: SchedulerTimeType { SchedulerTimeType() }
  public var minimumTolerance: SchedulerTimeType.Stride { SchedulerTimeType.Stride(0) }

  @inlinable
  public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

  @inlinable
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) {
    action()
  }

  /// Runs `action` once, because time does not pass.
  @discardableResult
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return EmptySubscription.shared
  }
}
