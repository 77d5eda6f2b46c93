package import Dispatch
package import Streams
internal import StreamsFoundation

/// How many loads may begin in a second.
public struct RateLimit: Hashable, Sendable {
  /// In the long run.
  public var perSecond: Int

  /// At once, after a rest.
  public var burst: Int

  /// So many loads a second, after so many at once.
  ///
  /// - Parameters: Both count as one at least.
  public init(perSecond: Int = 80, burst: Int = 25) {
    self.perSecond = perSecond
    self.burst = burst
  }
}

/// Lets work begin at a rate: a bucket of tokens that fills with time.
///
/// Once somebody waits, all who come later wait behind. Who is cancelled takes no token.
package final class RateLimiter: Sendable {
  private struct State {
    /// In nanoseconds of waiting already paid for.
    var credit: Int
    var filled: DispatchQueue.SchedulerTimeType
    var line = Fifo<UInt64>()
    var waiting: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var isTimerSet = false
    var lastNumber: UInt64 = 0
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

  /// How many wait.
  package var waiting: Int { state.withLock { $0.waiting.count } }

  /// Waits for a token. Throws if the task is cancelled before there is one.
  package func take() async throws(ImagePipeline.Error) {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let isAdmitted = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        goOn { state in
          state.waiting[number] = continuation
          state.line.append(number)
        }
        // If the task was cancelled before it stood in the line, nobody has thrown it out.
        if Task.isCancelled { giveUp(number) }
      }
    } onCancel: {
      giveUp(number)
    }
    guard isAdmitted else { throw .cancelled }
  }

  /// - Parameter change: What has happened, and is to be taken into account.
  private func goOn(_ change: (inout State) -> Void) {
    let now = scheduler.now
    let (admitted, delay) = state.withLock { state in
      change(&state)
      fill(&state, now)
      return admit(&state)
    }
    for continuation in admitted { continuation.resume(returning: true) }
    guard let delay else { return }
    scheduler.schedule(after: now.advanced(by: .nanoseconds(delay))) { [weak self] in
      self?.goOn { $0.isTimerSet = false }
    }
  }

  private func fill(_ state: inout State, _ now: DispatchQueue.SchedulerTimeType) {
    let passed = max(0, state.filled.distance(to: now).magnitude)
    state.credit = passed > maximum - state.credit ? maximum : state.credit + passed
    state.filled = max(state.filled, now)
  }

  /// - Returns: Who may begin, and in how many nanoseconds to look again, if nobody is to do so yet.
  private func admit(_ state: inout State) -> ([CheckedContinuation<Bool, Never>], Int?) {
    var admitted: [CheckedContinuation<Bool, Never>] = []
    while state.credit >= price, let number = state.line.popFirst() {
      guard let continuation = state.waiting.removeValue(forKey: number) else { continue }
      state.credit -= price
      admitted.append(continuation)
    }
    guard !state.waiting.isEmpty, !state.isTimerSet else { return (admitted, nil) }
    state.isTimerSet = true
    return (admitted, price - state.credit)
  }

  private func giveUp(_ number: UInt64) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: false)
  }
}
