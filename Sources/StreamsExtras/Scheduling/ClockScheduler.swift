/// A scheduler that runs tasks and uses the time of a clock, without a run loop or a queue.
///
/// Actions run one at a time, on the threads of Swift concurrency. A clock that a test controls decides about dates.
///
/// ```swift
/// let scheduler = ClockScheduler(clock: ContinuousClock())
/// let settled = words.debounce(for: .milliseconds(300), scheduler: scheduler)
/// ```
public final class ClockScheduler<Time: Clock>: Scheduler, Sendable where Time.Duration == Duration {
  public typealias SchedulerOptions = Never

  /// The clock that measures the time.
  public let clock: Time
  private let line = ActorDelivery(to: Line())

  /// Creates a scheduler that uses `clock`.
  public init(clock: Time) { self.clock = clock }

  /// A point in the clock's time.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// The instant of the clock.
    public let instant: Time.Instant

    /// Creates the point in time at `instant`.
    public init(_ instant: Time.Instant) { self.instant = instant }

    public func distance(to other: SchedulerTimeType) -> ClockStride {
      ClockStride(instant.duration(to: other.instant))
    }

    public func advanced(by stride: ClockStride) -> SchedulerTimeType {
      SchedulerTimeType(instant.advanced(by: stride.duration))
    }
  }

  public var now: SchedulerTimeType { SchedulerTimeType(clock.now) }

  /// Zero.
  public var minimumTolerance: ClockStride { .zero }

  public func schedule(options _: Never?, _ action: @escaping () -> Void) { line.deliver(action) }

  public func schedule(
    after date: SchedulerTimeType, tolerance: ClockStride, options _: Never?, _ action: @escaping () -> Void
  ) {
    // The line runs it after it was scheduled. There is no other reference by then.
    let job = Transfer(action)
    DetachedTask.start { [clock, line] in
      try? await clock.sleep(until: date.instant, tolerance: tolerance.duration)
      line.deliver { job.value() }
    }
  }

  /// Runs `action` at `date`, and then every `interval`, until the result is cancelled or released.
  ///
  /// Dates that pass before a run has ended are skipped if `interval` is more than a millisecond, and otherwise made up for. An
  /// `interval` that is not positive counts as one nanosecond.
  public func schedule(
    after date: SchedulerTimeType, interval: ClockStride, tolerance: ClockStride, options _: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    // As above; a run begins when the one before has ended.
    let job = Transfer(action)
    let step = Swift.max(interval.duration, .nanoseconds(1))
    let isCancelled = Guarded(false)  // for the line, whose task is another one
    let task = DetachedTask.start { [clock, line] in
      var date = date.instant
      while !Task.isCancelled {
        guard (try? await clock.sleep(until: date, tolerance: tolerance.duration)) != nil else { return }
        await withCheckedContinuation { turn in
          line.deliver {
            if !isCancelled.withLock({ $0 }) { job.value() }
            turn.resume()
          }
        }
        date = date.advanced(by: step)
        let late = date.duration(to: clock.now)
        if step > .milliseconds(1) { date = date.advanced(by: late.roundedUp(to: step)) }
      }
    }
    return AnyCancellable {
      isCancelled.withLock { $0 = true }
      task.cancel()
    }
  }
}

extension Duration {
  /// The smallest multiple of `step` that is not less; zero if this is negative.
  fileprivate func roundedUp(to step: Duration) -> Duration {
    if self <= .zero { return .zero }
    let rest = attoseconds % step.attoseconds
    return rest == 0 ? self : self - Duration(attoseconds: rest) + step
  }
}

/// A scheduler that runs tasks, and whose time continues while the system is asleep.
public typealias TaskScheduler = ClockScheduler<ContinuousClock>

extension ClockScheduler where Time == ContinuousClock {
  /// Creates a scheduler that uses the continuous clock. Each instance runs one action at a time.
  public convenience init() { self.init(clock: ContinuousClock()) }
}

/// A length of time of a ``ClockScheduler``, clamped to about 292 years.
public struct ClockStride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, Hashable, Sendable {
  /// The length as a duration of the standard library.
  public let duration: Duration

  /// Creates a stride of `duration`.
  public init(_ duration: Duration) { self.duration = min(max(duration, .zero - Self.longest), Self.longest) }

  public init(integerLiteral seconds: Int) { self = .seconds(seconds) }

  public init?<Source: BinaryInteger>(exactly source: Source) {
    guard let seconds = Int(exactly: source) else { return nil }
    self = .seconds(seconds)
  }

  // What clocks can add to their time: a sleep until a later instant traps.
  private static var longest: Duration { .nanoseconds(Int64.max) }

  public var magnitude: ClockStride { duration < .zero ? ClockStride(.zero - duration) : self }

  public static var zero: ClockStride { ClockStride(.zero) }
  public static func seconds(_ count: Int) -> ClockStride { ClockStride(.seconds(count)) }
  public static func milliseconds(_ count: Int) -> ClockStride { ClockStride(.milliseconds(count)) }
  public static func microseconds(_ count: Int) -> ClockStride { ClockStride(.microseconds(count)) }
  public static func nanoseconds(_ count: Int) -> ClockStride { ClockStride(.nanoseconds(count)) }

  /// Returns a stride of this many seconds. Not a number counts as zero.
  public static func seconds(_ count: Double) -> ClockStride {
    if count.isNaN { return .zero }
    let limit = ClockStride(longest).seconds
    return ClockStride(abs(count) < limit ? .seconds(count) : count < 0 ? .zero - longest : longest)
  }

  public static func < (left: ClockStride, right: ClockStride) -> Bool { left.duration < right.duration }
  public static func + (left: ClockStride, right: ClockStride) -> ClockStride {
    ClockStride(left.duration + right.duration)
  }
  public static func - (left: ClockStride, right: ClockStride) -> ClockStride {
    ClockStride(left.duration - right.duration)
  }
  /// Multiplies two strides in seconds, as the strides of other schedulers do.
  public static func * (left: ClockStride, right: ClockStride) -> ClockStride {
    // In parts, each of which fits: not as floating-point numbers, which lose nanoseconds.
    let (seconds, attoseconds) = left.duration.components
    let (nanoseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let fraction =
      right.duration * nanoseconds / 1_000_000_000 + right.duration * rest / 1_000_000_000 / 1_000_000_000
    return ClockStride(right.duration * seconds + fraction)
  }
  public static func *= (left: inout ClockStride, right: ClockStride) { left = left * right }

  private var seconds: Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}

/// Where the actions of a scheduler run.
private actor Line {}
