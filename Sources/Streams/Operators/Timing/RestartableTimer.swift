/// One pending action on a scheduler, which can be set again or cancelled.
///
/// The last action that was set runs once, or as often as the scheduler repeats it. The scheduler does not retain the timer:
/// nothing runs once that is released.
@usableFromInline
package final class RestartableTimer<Context: Scheduler>: @unchecked Sendable {  // `state` is guarded, `scheduler` constant
  private struct State {
    var number = 0
    var hasRung = true
    var token: (any Cancellable)?
  }

  @usableFromInline let scheduler: Context
  private let options: Context.SchedulerOptions?
  private let revocable: (any RevocableScheduler<Context.SchedulerTimeType>)?
  private let state = Guarded(State())

  @usableFromInline
  package init(on scheduler: Context, options: Context.SchedulerOptions?) {
    self.scheduler = scheduler
    self.options = options
    revocable = scheduler.revocable(options: options)
  }

  // The token of a scheduler of somebody else may not cancel when it is released.
  deinit { cancel() }

  /// Runs `ring` after `interval`, in place of what was set before; with `repeats`, again and again.
  ///
  /// - Parameter tolerance: The smallest one of the scheduler, if it is `nil`.
  /// - Returns: Whether something was set before that will not run any more.
  @usableFromInline @discardableResult
  package func set(
    after interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride? = nil,
    repeats: Bool = false, _ ring: @escaping () -> Void
  ) -> Bool {
    let (number, old, isReplaced) = state.withLock { state in
      let isReplaced = !state.hasRung
      state.number += 1
      state.hasRung = false
      return (state.number, state.token.take(), isReplaced)
    }
    old?.cancel()
    // As in Combine, a scheduler that records its calls sees `now` first.
    let date = scheduler.now.advanced(by: interval)
    let tolerance = tolerance ?? scheduler.minimumTolerance
    let action = { [weak self] in
      if self?.rings(number, repeats) == true { ring() }
    }
    let token: any Cancellable =
      if let revocable, !repeats {
        revocable.scheduleOnce(after: date, tolerance: tolerance, action)
      } else {
        // Other schedulers can only take back what repeats.
        scheduler.schedule(
          after: date, interval: interval, tolerance: tolerance, options: options, action)
      }
    let isSpent = state.withLock { state in
      guard state.number == number, !state.hasRung else { return true }
      state.token = token
      return false
    }
    if isSpent { token.cancel() }
    return isReplaced
  }

  @usableFromInline
  package func cancel() {
    state.withLock { state -> (any Cancellable)? in
      state.hasRung = true
      return state.token.take()
    }?.cancel()
  }

  private func rings(_ number: Int, _ repeats: Bool) -> Bool {
    let (rings, token) = state.withLock { state -> (Bool, (any Cancellable)?) in
      guard state.number == number, !state.hasRung else { return (false, nil) }
      if repeats { return (true, nil) }
      state.hasRung = true
      return (true, state.token.take())
    }
    token?.cancel()
    return rings
  }
}

extension OperatorCore {
  /// Creates a timer that is cancelled when the stream is over.
  @inlinable
  package func timer<Context: Scheduler>(
    on scheduler: Context, options: Context.SchedulerOptions?
  ) -> RestartableTimer<Context> {
    let timer = RestartableTimer(on: scheduler, options: options)
    onEnd { timer.cancel() }
    return timer
  }
}
