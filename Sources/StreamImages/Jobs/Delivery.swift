package import Streams

/// The last step to one subscriber: previews until the final value, within what it asked for.
///
/// Work begins with the first request. Of previews that are not asked for, the latest is kept; the final value
/// takes their place and waits for demand; completion follows it at once, and a failure does not wait. Delivery is
/// serial, whichever threads offer and ask, and nothing is held while the subscriber runs.
package final class Delivery<Output: Sendable, Failure: Error>: Sendable {
  /// Begins the work; what is returned stops it.
  package typealias Start = (Delivery) -> AnyCancellable

  private let name: String
  private let state: Guarded<DeliveryState<Output, Failure>>

  package init<Downstream: Subscriber>(
    _ name: String, to downstream: Downstream, _ start: @escaping Start
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    self.name = name
    state = Guarded(
      DeliveryState(
        start: start,
        seat: DeliverySeat(
          value: { downstream.receive($0) }, completion: { downstream.receive(completion: $0) })))
  }

  /// Lets values flow; called once `receive(subscription:)` has returned.
  ///
  /// A subscriber that asks inside it is not ready to be served inside it.
  package func open() {
    state.withLock { $0.isOpen = true }
    goOn()
  }

  // MARK: From the work

  package func show(_ preview: Output) {
    state.withLock { $0.show(preview) }
    drain()
  }

  package func finish(_ value: Output) {
    state.withLock { $0.end(.value(value)) }
    drain()
  }

  package func fail(_ error: Failure) {
    state.withLock { $0.end(.failure(error)) }
    drain()
  }

  // MARK: Moving on

  private func goOn() {
    guard let start = state.withLock({ $0.takeStart() }) else { return drain() }
    let work = start(self)
    // It may have ended, or been cancelled, before we knew what to cancel.
    let unwanted = state.withLock { $0.keep(work) }
    unwanted?.cancel()
    drain()
  }

  private func drain() {
    var isBack = false
    while let signal = state.withLock({ $0.next(isBack) }) {
      switch signal {
      case .value(let value, let seat):
        let more = seat.value(value)
        if more > .none { state.withLock { $0.ask(more) } }
        isBack = true
      case .completion(let completion, let seat, let remains):
        withExtendedLifetime(remains) { seat.completion(completion) }
        return
      }
    }
  }
}

extension Delivery: Subscription {
  /// Asking for nothing is a mistake (law P3).
  package func request(_ demand: Subscribers.Demand) {
    demand.requireSome(of: name)
    state.withLock { $0.ask(demand) }
    goOn()
  }

  package func cancel() {
    let remains = state.withLock { $0.close() }
    remains.work?.cancel()
  }
}

extension Delivery: CustomStringConvertible {
  package var description: String { name }
}
