package import Dispatch
package import StreamsExtras
internal import StreamsFoundation

/// A limit on the rate at which loads start.
public struct RateLimit: Hashable, Sendable {
  /// The rate in the long run.
  public var perSecond: Int

  /// The number of loads that may start at once after a pause.
  public var burst: Int

  /// Creates a limit.
  ///
  /// - Parameters: Values below 1 count as 1.
  public init(perSecond: Int = 80, burst: Int = 25) {
    self.perSecond = perSecond
    self.burst = burst
  }
}

/// Limits the rate at which work starts, as a token bucket.
///
/// Waiting tasks are served in order of arrival. A cancelled task takes no token.
package final class RateLimiter: Sendable {
  private struct State {
    /// In nanoseconds. A token costs ``price``.
    var credit: Int
    var filled: DispatchQueue.SchedulerTimeType
    /// Resumed with true once they have a token.
    var waiting = WaitingTasks<Bool, Void>()
    var isTimerSet = false
  }

  private let state: Guarded<State>
  private let price: Int
  private let maximum: Int
  private let scheduler: AnySchedulerOf<DispatchQueue>

  package init(_ limit: RateLimit, scheduler: AnySchedulerOf<DispatchQueue>) {
    price = max(1, 1_000_000_000 / max(1, limit.perSecond))
    let (maximum, overflows) = price.multipliedReportingOverflow(by: max(1, limit.burst))
    self.maximum = overflows ? .max : maximum
    self.scheduler = scheduler
    state = Guarded(State(credit: self.maximum, filled: scheduler.now))
  }

  /// The number of waiting tasks.
  package var waiting: Int { state.withLock { $0.waiting.count } }

  /// Waits for a token. Throws if the task is cancelled before there is one.
  package func take() async throws(ImagePipeline.Error) {
    guard !Task.isCancelled else { throw .cancelled }
    let now = scheduler.now
    let isAdmitted = await state.wait(
      in: { $1(&$0.waiting) }, info: (), ifCancelled: false, unless: { takeAtOnce(&$0, now) },
      enqueued: { admit() })
    guard isAdmitted else { throw .cancelled }
  }

  /// - Returns: True if a token was taken, `nil` if the task has to wait.
  private func takeAtOnce(_ state: inout State, _ time: DispatchQueue.SchedulerTimeType) -> Bool? {
    guard state.waiting.isEmpty else { return nil }
    fill(&state, time)
    guard state.credit >= price else { return nil }
    state.credit -= price
    return true
  }

  /// Resumes the tasks for which there are tokens, and sets a timer if others still wait.
  private func admit(timerHasFired: Bool = false) {
    let now = scheduler.now
    let (admitted, delay) = state.withLock { state in
      if timerHasFired { state.isTimerSet = false }
      fill(&state, now)
      return takeAdmitted(&state)
    }
    for task in admitted { task.resume(returning: true) }
    guard let delay else { return }
    scheduler.schedule(after: now.advanced(by: .nanoseconds(delay))) { [weak self] in
      self?.admit(timerHasFired: true)
    }
  }

  private func fill(_ state: inout State, _ now: DispatchQueue.SchedulerTimeType) {
    let passed = max(0, state.filled.distance(to: now).magnitude)
    state.credit = passed > maximum - state.credit ? maximum : state.credit + passed
    state.filled = max(state.filled, now)
  }

  /// - Returns: The tasks to resume, and the time until the next token in nanoseconds, if a timer has to be set.
  private func takeAdmitted(_ state: inout State) -> ([WaitingTask<Bool, Void>], Int?) {
    var admitted: [WaitingTask<Bool, Void>] = []
    while state.credit >= price, let task = state.waiting.popFirst() {
      state.credit -= price
      admitted.append(task)
    }
    guard !state.waiting.isEmpty, !state.isTimerSet else { return (admitted, nil) }
    state.isTimerSet = true
    return (admitted, price - state.credit)
  }
}
