internal import Foundation
internal import Streams

/// Runs an action as one operation after another: each adds the next when it has run.
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
    arrange(at: dueDate(after: date))
  }

  /// The first date in step with `date` that is still to come.
  private func dueDate(after date: Date) -> Date {
    let missed = max(0, (-date.timeIntervalSinceNow / period).rounded(.down))
    return date + (missed + 1) * period
  }

  func cancel() {
    let rest = state.withLock { state in
      defer { state = State() }
      return state
    }
    rest.next?.cancel()
  }
}
