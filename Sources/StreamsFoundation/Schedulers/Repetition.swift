package import Foundation
internal import Streams

/// Runs an action as one operation after another: each adds the next one after it has run.
final class Repetition: Cancellable, Sendable {
  private struct State {
    /// `nil` once it is cancelled.
    var action: (@Sendable () -> Void)?
    /// Cancels the next run.
    var stop: (@Sendable () -> Void)?
    var number = 0
  }

  private let state: Guarded<State>
  private let queue: OperationQueue
  private let period: TimeInterval
  private let leeway: TimeInterval

  init(
    of action: @escaping @Sendable () -> Void, on queue: OperationQueue, every period: TimeInterval,
    leeway: TimeInterval
  ) {
    state = Guarded(State(action: action))
    self.queue = queue
    self.period = period
    self.leeway = leeway
  }

  /// Adds the operation that runs the action at `date`, which is one of ``SteadyDates``.
  func arrange(at date: Date) {
    let number = state.withLock { state -> Int? in
      state.number += 1
      return state.action == nil ? nil : state.number
    }
    guard let number else { return }
    let stop = DelayedOperations.shared.add(to: queue, at: date, leeway: leeway) { self.run(at: date) }
    let isOver = state.withLock { state in
      // The run may have begun, and have arranged the next one.
      if state.number == number { state.stop = stop }
      return state.action == nil
    }
    if isOver { stop() }
  }

  private func run(at date: Date) {
    let action = state.withLock { state in
      state.stop = nil
      return state.action
    }
    action?()
    arrange(at: date.next(every: period, after: SteadyDates.now))
  }

  func cancel() {
    let rest = state.withLock { state in
      defer { state = State() }
      return state
    }
    rest.stop?()
  }
}

extension Date {
  /// The first date in step with this one that is later than `present`, and not before the next step.
  package func next(every period: TimeInterval, after present: Date) -> Date {
    let missed = max(0, (present.timeIntervalSince(self) / period).rounded(.down))
    return self + (missed + 1) * period
  }
}
