package import Foundation
internal import Streams

/// Runs an action as one operation after another: each adds the next one after it has run.
final class Repetition: Cancellable, Sendable {
  private struct State {
    /// `nil` once it is cancelled.
    var action: (@Sendable () -> Void)?
    var next: Operation?
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

  /// Adds the operation that runs the action at `date`.
  func arrange(at date: Date) {
    let operation = Appointment(at: date, leeway: leeway) { self.run(at: date) }
    let isWanted = state.withLock { state in
      if state.action != nil { state.next = operation }
      return state.action != nil
    }
    if isWanted { queue.addOperation(operation) }
  }

  private func run(at date: Date) {
    let action = state.withLock { state in
      state.next = nil
      return state.action
    }
    action?()
    arrange(at: date.next(every: period, after: Date()))
  }

  func cancel() {
    let rest = state.withLock { state in
      defer { state = State() }
      return state
    }
    rest.next?.cancel()
  }
}

extension Date {
  /// The first date in step with this one that is later than `present`, and not before the next step.
  package func next(every period: TimeInterval, after present: Date) -> Date {
    let missed = max(0, (present.timeIntervalSince(self) / period).rounded(.down))
    return self + (missed + 1) * period
  }
}
