/// How far an exhaustive search goes.
public struct Bounds: Sendable, Equatable {
  /// How often a fiber is interrupted where it could go on.
  public var preemptions = 0
  /// How often an access takes an older store than the newest.
  public var stale = 0
  /// How many of both there are together.
  public var both = Int.max

  public init(preemptions: Int = 0, stale: Int = 0, both: Int = .max) {
    self.preemptions = preemptions
    self.stale = stale
    self.both = both
  }

  @inline(__always)
  func allow(_ preemptions: Int, _ stale: Int) -> Bool {
    preemptions <= self.preemptions && stale <= self.stale && preemptions + stale <= both
  }

  /// How many stale reads a schedule has at most that is drawn by lot.
  public static let mostByLot = 6
  /// How many stores an access chooses among. Older ones are left out.
  static let mostOptions = 8
}
