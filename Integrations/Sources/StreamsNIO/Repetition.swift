internal import NIOConcurrencyHelpers
internal import NIOCore
internal import Streams

/// An action that an event loop runs again and again.
final class Repetition: Cancellable, Sendable {
  private struct State: Sendable {
    /// `nil` after the cancellation.
    var action: LoopAction?
    var next: Scheduled<Void>?
    /// How many runs were scheduled before `next`.
    var number = -1
  }

  private let state: NIOLockedValueBox<State>
  private let interval: EventLoopScheduler.SchedulerTimeType.Stride
  private let scheduler: EventLoopScheduler

  init(
    of action: LoopAction, every interval: EventLoopScheduler.SchedulerTimeType.Stride,
    on scheduler: EventLoopScheduler
  ) {
    state = NIOLockedValueBox(State(action: action))
    self.interval = max(interval, .nanoseconds(1))
    self.scheduler = scheduler
  }

  func start(at date: EventLoopScheduler.SchedulerTimeType) { schedule(at: date, number: 0) }

  private func schedule(at date: EventLoopScheduler.SchedulerTimeType, number: Int) {
    let next = scheduler.eventLoop.scheduleTask(deadline: date.deadline) {
      self.run(at: date, number: number)
    }
    let isCancelled = state.withLockedValue { state in
      // The event loop may have run this one already, and scheduled the one after it.
      if number > state.number { (state.next, state.number) = (next, number) }
      return state.action == nil
    }
    if isCancelled { next.cancel() }
  }

  private func run(at date: EventLoopScheduler.SchedulerTimeType, number: Int) {
    guard let action = state.withLockedValue({ $0.action }) else { return }
    action.run()
    let missed = max(0, date.distance(to: scheduler.now).nanoseconds / interval.nanoseconds)
    let (length, overflow) = interval.nanoseconds.multipliedReportingOverflow(by: missed + 1)
    schedule(at: date.advanced(by: .nanoseconds(overflow ? .max : Int(length))), number: number + 1)
  }

  /// Releases the action outside of the lock.
  func cancel() {
    let old = state.withLockedValue { state in
      defer { (state.action, state.next) = (nil, nil) }
      return state
    }
    old.next?.cancel()
  }
}
