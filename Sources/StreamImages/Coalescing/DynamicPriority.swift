internal import Streams

/// A priority that changes: the highest of its own and those of its waiters.
///
/// Waiters are dynamic priorities themselves. So a change propagates from a request down to the queue in which its
/// bytes wait. Progress is reported in the opposite direction.
package final class DynamicPriority: Sendable {
  private struct State {
    var own: ImageRequest.Priority
    /// The number of the last change of the own priority.
    var change = 0
    var waiters: [UInt64: DynamicPriority] = [:]
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
  ///   - priority: The own priority, which counts even without waiters.
  ///   - listener: Receives the progress of the work.
  package init(
    _ priority: ImageRequest.Priority, listener: (@Sendable (LoadProgress) -> Void)? = nil
  ) {
    state = Guarded(State(own: priority))
    self.listener = listener
  }

  package var current: ImageRequest.Priority {
    let (own, waiters) = state.withLock { ($0.own, Array($0.waiters.values)) }
    return waiters.reduce(own) { max($0, $1.current) }
  }

  package func set(_ priority: ImageRequest.Priority) {
    let observers = state.withLock { state in
      state.own = priority
      return Array(state.observers.values)
    }
    for observer in observers { observer() }
  }

  /// The same for changes that may arrive out of order. A change that is older than the last one has no effect.
  package func set(_ priority: ImageRequest.Priority, change: Int) {
    let observers = state.withLock { state -> [@Sendable () -> Void] in
      guard change > state.change else { return [] }
      state.own = priority
      state.change = change
      return Array(state.observers.values)
    }
    for observer in observers { observer() }
  }

  /// Adds a waiter until the result is cancelled or released.
  package func add(_ waiter: DynamicPriority) -> AnyCancellable {
    let number = state.withLock { state in
      let number = state.number()
      state.waiters[number] = waiter
      return number
    }
    let watch = waiter.observe { [weak self] in self?.notify() }
    notify()
    return AnyCancellable { [weak self] in
      watch.cancel()
      guard let self else { return }
      self.state.withLock { _ = $0.waiters.removeValue(forKey: number) }
      self.notify()
    }
  }

  /// Reports progress to all waiters, and to their waiters.
  package func report(_ progress: LoadProgress) {
    listener?(progress)
    for waiter in state.withLock({ Array($0.waiters.values) }) { waiter.report(progress) }
  }

  /// Calls `observer` after each change.
  ///
  /// It should read the current priority. A value passed to it could be outdated.
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

  private func notify() {
    for observer in state.withLock({ Array($0.observers.values) }) { observer() }
  }
}
