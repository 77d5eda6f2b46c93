package import Streams

/// A subscription that delivers previews and then a result, on demand.
///
/// The work starts with the first demand. Only the latest preview is kept until it is requested. The result replaces
/// it and waits for demand; completion follows immediately. A failure does not wait for demand. Delivery is serial,
/// whichever threads send and request, and no lock is held while the subscriber runs.
package final class ResultSubscription<Output: Sendable, Failure: Error>: Sendable {
  /// Starts the work. Cancelling the result stops it.
  package typealias Start = (ResultSubscription) -> AnyCancellable

  private let name: String
  private let state: Guarded<ResultSubscriptionState<Output, Failure>>

  package init<Downstream: Subscriber>(
    _ name: String, to downstream: Downstream, _ start: @escaping Start
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    self.name = name
    state = Guarded(
      ResultSubscriptionState(
        start: start,
        downstream: ResultDownstream(
          value: { downstream.receive($0) }, completion: { downstream.receive(completion: $0) })))
  }

  /// Starts delivery; called once `receive(subscription:)` has returned.
  ///
  /// A subscriber that requests values there is not ready to receive them there.
  package func open() {
    state.withLock { $0.isOpen = true }
    advance()
  }

  // MARK: Called by the work

  package func show(_ preview: Output) {
    // Values are released outside the lock, here and below.
    let gone = state.withLock { $0.show(preview) }
    withExtendedLifetime(gone) {}
    drain()
  }

  package func finish(_ value: Output) {
    end(.value(value))
  }

  package func fail(_ error: Failure) {
    end(.failure(error))
  }

  private func end(_ ending: ResultSubscriptionState<Output, Failure>.Ending) {
    let gone = state.withLock { $0.end(ending) }
    withExtendedLifetime(gone) {}
    drain()
  }

  // MARK: Delivery

  private func advance() {
    guard let start = state.withLock({ $0.takeStart() }) else { return drain() }
    let work = start(self)
    // It may have ended or been cancelled before there was something to cancel.
    let unwanted = state.withLock { $0.keep(work) }
    unwanted?.cancel()
    drain()
  }

  private func drain() {
    var isBack = false
    while let signal = state.withLock({ $0.next(isBack) }) {
      switch signal {
      case .value(let value, let downstream):
        let more = downstream.value(value)
        if more > .none { state.withLock { $0.ask(more) } }
        isBack = true
      case .completion(let completion, let downstream, let released):
        withExtendedLifetime(released) { downstream.completion(completion) }
        return
      }
    }
  }
}

extension ResultSubscription: Subscription {
  /// A demand of zero is a violation of the contract (law P3).
  package func request(_ demand: Subscribers.Demand) {
    demand.requireSome(of: name)
    state.withLock { $0.ask(demand) }
    advance()
  }

  package func cancel() {
    let released = state.withLock { $0.close() }
    released.work?.cancel()
  }
}

extension ResultSubscription: CustomStringConvertible {
  package var description: String { name }
}
