internal import Streams

/// How urgent a piece of work is: as urgent as the most urgent of those who wait for it.
///
/// Those who wait are urgencies themselves, so that a change travels from a request down to the queue in which its
/// bytes stand. On the same way back travels how far the work is.
package final class Urgency: Sendable {
  private struct State {
    var own: ImageRequest.Priority
    /// Which of the changes of the own priority was the last.
    var change = 0
    var waiters: [UInt64: Urgency] = [:]
    var observers: [UInt64: @Sendable () -> Void] = [:]
    var next: UInt64 = 0

    mutating func number() -> UInt64 {
      next += 1
      return next
    }
  }

  private let state: Guarded<State>
  private let listener: (@Sendable (LoadProgress) -> Void)?

  /// - Parameters:
  ///   - priority: Counts even if nobody waits.
  ///   - listener: Is told how far the work is.
  package init(
    _ priority: ImageRequest.Priority, listener: (@Sendable (LoadProgress) -> Void)? = nil
  ) {
    state = Guarded(State(own: priority))
    self.listener = listener
  }

  package var priority: ImageRequest.Priority {
    let (own, waiters) = state.withLock { ($0.own, Array($0.waiters.values)) }
    return waiters.reduce(own) { max($0, $1.priority) }
  }

  package func set(_ priority: ImageRequest.Priority) {
    let observers = state.withLock { state in
      state.own = priority
      return Array(state.observers.values)
    }
    for observer in observers { observer() }
  }

  /// The same for changes that may come in another order than they were made in: one that is older than the last does
  /// nothing.
  package func set(_ priority: ImageRequest.Priority, change: Int) {
    let observers = state.withLock { state -> [@Sendable () -> Void] in
      guard change > state.change else { return [] }
      state.own = priority
      state.change = change
      return Array(state.observers.values)
    }
    for observer in observers { observer() }
  }

  /// Makes `waiter` count until what is returned is cancelled or let go.
  package func add(_ waiter: Urgency) -> AnyCancellable {
    let number = state.withLock { state in
      let number = state.number()
      state.waiters[number] = waiter
      return number
    }
    let watch = waiter.observe { [weak self] in self?.tell() }
    tell()
    return AnyCancellable { [weak self] in
      watch.cancel()
      guard let self else { return }
      self.state.withLock { _ = $0.waiters.removeValue(forKey: number) }
      self.tell()
    }
  }

  /// Tells all who wait, and all who wait for them.
  package func report(_ progress: LoadProgress) {
    listener?(progress)
    for waiter in state.withLock({ Array($0.waiters.values) }) { waiter.report(progress) }
  }

  /// Calls `observer` after each change.
  ///
  /// It is not told the priority, and should read it: then a call that was overtaken by another does no harm.
  package func observe(_ observer: @escaping @Sendable () -> Void) -> AnyCancellable {
    let number = state.withLock { state in
      let number = state.number()
      state.observers[number] = observer
      return number
    }
    return AnyCancellable { [weak self] in
      let gone = self?.state.withLock { $0.observers.removeValue(forKey: number) }
      withExtendedLifetime(gone) {}
    }
  }

  private func tell() {
    for observer in state.withLock({ Array($0.observers.values) }) { observer() }
  }
}
