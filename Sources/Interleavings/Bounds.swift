internal import CInterleavings

/// How far a search goes.
///
/// A search begins with schedules without interruptions and stale values, so the first counterexample has the fewest.
public struct Bounds: Sendable, Equatable {
  /// How often, at most, a thread or task is interrupted where it could go on.
  public var preemptions = 2
  /// How often, at most, an access takes an older value than the newest.
  public var staleValues = 2
  /// How many of both, at most, a schedule has together.
  public var both = 3
  /// How many steps a schedule has at most. One with more is reported as endless.
  public var steps = 20_000
  /// After how many schedules a search stops, though it is not finished.
  public var schedules = 1_000_000
  /// After what time a search stops, though it is not finished.
  public var time = Duration.seconds(20)

  /// Creates bounds; each property says what its number limits.
  public init(
    preemptions: Int = 2, staleValues: Int = 2, both: Int = 3, steps: Int = 20_000,
    schedules: Int = 1_000_000,
    time: Duration = .seconds(20)
  ) {
    self.preemptions = preemptions
    self.staleValues = staleValues
    self.both = both
    self.steps = steps
    self.schedules = schedules
    self.time = time
  }

  /// The same with at most `count` interruptions and stale values.
  func limited(to count: Int) -> interleavings_bounds {
    interleavings_bounds(
      preemptions: UInt32(clamping: min(preemptions, count)),
      stale: UInt32(clamping: min(staleValues, count)),
      both: UInt32(clamping: count), steps: UInt32(clamping: steps))
  }
}
