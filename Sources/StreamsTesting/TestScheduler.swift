public import Streams
internal import StreamsFoundation

/// A test scheduler with a time of its own and no options.
public typealias VirtualScheduler = TestScheduler<VirtualTime, Never>

extension TestScheduler where SchedulerTimeType == VirtualTime, SchedulerOptions == Never {
  /// A new scheduler at time zero.
  public static var virtual: TestScheduler { TestScheduler(now: VirtualTime()) }
}

/// A scheduler whose time only a test moves.
///
/// Actions run one after another inside `advance(by:)`, `advance(to:)` and `run(limit:)`, ordered by
/// the time for which they were scheduled, then by the order in which they were scheduled. Each sees ``now``
/// as its own time, unless that was past. An action may schedule others; those that are due run, too. Scheduling and
/// cancelling work from any thread.
///
/// In asynchronous code, write `await`: then other tasks continue between actions. The compiler does not find the asynchronous
/// functions in top-level code, so call them inside of a function there.
///
/// - Complexity: Amortised O(log *n*) for each action, where *n* is the number of actions scheduled.
public final class TestScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  private struct State {
    var now: SchedulerTimeType
    var timetable = Timetable<SchedulerTimeType, Action>()
  }

  private struct Action {
    let run: () -> Void
    let interval: SchedulerTimeType.Stride?
  }

  private let state: Guarded<State>
  let started = StartedJobs.ofCurrentTask()

  /// Creates a scheduler whose time is `now`.
  public init(now: SchedulerTimeType) {
    state = Guarded(State(now: now))
    TestScope.current?.note(self)
  }

  /// The time to which the scheduler was moved, also for an action.
  public var now: SchedulerTimeType { state.withLock { $0.now } }

  /// Zero.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// How many actions are scheduled.
  public var pending: Int { state.withLock { $0.timetable.count } }

  // MARK: Moving time

  /// Runs all actions due in the next `stride`, and moves the time by it. Zero runs the actions due now.
  @available(*, noasync, message: "Write 'await', in top-level code inside of a function.")
  public func advance(by stride: SchedulerTimeType.Stride = .zero) { advance(to: now.advanced(by: stride)) }

  /// Runs all actions due up to `instant`, and moves the time there. Time never moves back.
  @available(*, noasync, message: "Write 'await', in top-level code inside of a function.")
  public func advance(to instant: SchedulerTimeType) {
    while let action = next(until: instant) { action() }
    arrive(at: instant)
  }

  /// Runs all scheduled actions, however far ahead.
  ///
  /// - Parameter limit: The maximum number of actions, because a repeating action never ends.
  /// - Returns: True if nothing is left to run.
  @available(*, noasync, message: "Write 'await', in top-level code inside of a function.")
  @discardableResult
  public func run(limit: Int = 100_000) -> Bool {
    for _ in 0..<limit {
      guard let action = next(until: nil) else { return true }
      action()
    }
    return pending == 0
  }

  func arrive(at instant: SchedulerTimeType) {
    state.withLock { state in state.now = max(state.now, instant) }
  }

  func next(until instant: SchedulerTimeType?) -> (() -> Void)? {
    state.withLock { state in
      guard let (number, due, action) = state.timetable.takeEarliest(until: instant) else { return nil }
      if let interval = action.interval {
        state.timetable.add(action, at: due.moved(on: interval), as: number)
      }
      state.now = max(state.now, due)
      return action.run
    }
  }

  // MARK: Scheduler

  public func schedule(options _: SchedulerOptions?, _ action: @escaping () -> Void) {
    add(action, at: nil)
  }

  public func schedule(
    after date: SchedulerTimeType, tolerance _: SchedulerTimeType.Stride, options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    add(action, at: date)
  }

  /// Runs `action` at `date` and then every `interval`, until the result is cancelled or released.
  ///
  /// An interval that is not positive counts as one nanosecond. Where that does not change the time, as with a date, the interval
  /// counts as one that does. So time always moves on.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let number = add(action, at: date, every: interval)
    return AnyCancellable { [weak self] in self?.remove(number) }
  }

  /// - Parameter date: The present, if it is `nil`.
  @discardableResult
  private func add(
    _ action: @escaping () -> Void, at date: SchedulerTimeType?,
    every interval: SchedulerTimeType.Stride? = nil
  ) -> Int {
    state.withLock { state in
      state.timetable.add(Action(run: action, interval: interval), at: date ?? state.now)
    }
  }

  private func remove(_ number: Int) {
    // Let go of outside the lock: its captures may schedule or cancel when they go.
    let action = state.withLock { $0.timetable.remove(number) }
    withExtendedLifetime(action) {}
  }
}

extension TestScheduler: ScopedPart {
  func endWhatIsLeft() {
    let gone = state.withLock { state in
      defer { state.timetable = Timetable() }
      return state.timetable
    }
    withExtendedLifetime(gone) {}
  }
}

// Everything mutable is guarded. Actions are handed to the thread that moves the time, as any scheduler does
// it.
extension TestScheduler: @unchecked Sendable
where SchedulerTimeType: Sendable, SchedulerTimeType.Stride: Sendable {}

extension Strideable where Stride: SchedulerTimeIntervalConvertible {
  /// The time `stride` later, or the shortest time that makes a difference, if that is longer.
  func moved(on stride: Stride) -> Self {
    var step = max(stride, .nanoseconds(1))
    // The seconds of a date are a floating-point number. The bound is for a time that never changes.
    while advanced(by: step) <= self, step < .seconds(60) { step += step }
    return advanced(by: step)
  }
}
