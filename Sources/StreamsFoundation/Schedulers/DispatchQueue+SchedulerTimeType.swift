public import Dispatch

extension DispatchQueue {
  /// A point in the time of a dispatch queue: nanoseconds of uptime.
  ///
  /// It is encoded as that number.
  public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
    /// The value of Dispatch.
    public var dispatchTime: DispatchTime

    /// The point in time that `time` is.
    public init(_ time: DispatchTime) { dispatchTime = time }

    public init(from decoder: any Decoder) throws {
      let nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
      self.init(nanoseconds > Self.last ? .distantFuture : DispatchTime(uptimeNanoseconds: nanoseconds))
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(dispatchTime.uptimeNanoseconds)
    }

    /// The time from here to `other`.
    ///
    /// Between the distant future and another point, it is the longest one: `never` in Dispatch.
    public func distance(to other: SchedulerTimeType) -> Stride {
      let (here, there) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
      guard let length = Int(exactly: there < here ? here - there : there - here) else {
        return Stride(.never)
      }
      return .nanoseconds(there < here ? -length : length)
    }

    /// Compares the nanoseconds, because distances do not order points beyond the distant future.
    public static func < (left: SchedulerTimeType, right: SchedulerTimeType) -> Bool {
      left.dispatchTime.uptimeNanoseconds < right.dispatchTime.uptimeNanoseconds
    }

    /// The point `stride` later. A point after the last one becomes the distant future, which does not change.
    public func advanced(by stride: Stride) -> SchedulerTimeType {
      let nanoseconds = dispatchTime.uptimeNanoseconds
      if nanoseconds > Self.last { return self }
      let length = stride.magnitude
      if length < 0 {
        let earlier = nanoseconds - min(max(nanoseconds, 1) - 1, UInt64(length.magnitude))
        return SchedulerTimeType(DispatchTime(uptimeNanoseconds: earlier))
      }
      let later = nanoseconds + UInt64(length)
      return SchedulerTimeType(later > Self.last ? .distantFuture : DispatchTime(uptimeNanoseconds: later))
    }

    /// The last point of Dispatch: larger numbers mean another clock.
    private static var last: UInt64 { 1 << 62 - 1 }

    public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.uptimeNanoseconds) }
  }
}
