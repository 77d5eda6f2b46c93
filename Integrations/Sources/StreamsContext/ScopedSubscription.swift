package import Streams
internal import Synchronization

/// Binds a task-local variable around calls.
package struct Binding<Value: Sendable> {
  private let variable: TaskLocal<Value>
  private let value: Value

  /// Binds `variable` to `value`.
  package init(_ variable: TaskLocal<Value>, to value: Value) {
    (self.variable, self.value) = (variable, value)
  }

  /// Calls `body` with the value.
  package func run<Result>(_ body: () -> Result) -> Result { variable.withValue(value, operation: body) }
}

/// How a subscription ended, and after how many values.
package struct ScopeEnding<Failure: Error> {
  package enum Outcome: String {
    case finished, failed, cancelled, released
  }

  package let outcome: Outcome
  package let failure: Failure?
  package let valueCount: Int
}

/// Passes signals on, with one value of a variable for those that go down, and another for those that go up.
package final class ScopedSubscription<Downstream: Subscriber, Value: Sendable>: Subscriber, Subscription {
  package typealias Input = Downstream.Input
  package typealias Failure = Downstream.Failure

  // Unchecked, because it leaves the lock as a copy, whose parts are for every thread, or used by the one that delivers.
  private struct State: @unchecked Sendable {
    var upstream: (any Subscription)?
    var downstream: Downstream?
    var name = ""
    var valueCount = 0
    var hasSubscription = false
    var isOver = false
  }

  private let above: Binding<Value>
  private let below: Binding<Value>
  private let onEnd: ((ScopeEnding<Failure>) -> Void)?
  private let state: Mutex<State>

  /// - Parameters:
  ///   - above: For requests and cancellations.
  ///   - below: For the subscription, values and completions.
  ///   - onEnd: Called once, before the end is passed on, or when this is released.
  package init(
    for downstream: Downstream, above: Binding<Value>, below: Binding<Value>,
    onEnd: ((ScopeEnding<Failure>) -> Void)? = nil
  ) {
    (self.above, self.below, self.onEnd) = (above, below, onEnd)
    state = Mutex(State(downstream: downstream))
  }

  deinit { close(.released) }

  // MARK: From upstream

  package func receive(subscription: any Subscription) {
    let arriving = State(upstream: subscription, name: String(describing: subscription))
    let attached = state.withLock { state -> State? in
      guard !state.hasSubscription, !state.isOver else { return nil }
      (state.hasSubscription, state.upstream, state.name) = (true, arriving.upstream, arriving.name)
      return state
    }
    guard let downstream = attached?.downstream else { return subscription.cancel() }
    below.run { downstream.receive(subscription: self) }
  }

  package func receive(_ input: Input) -> Subscribers.Demand {
    let present = state.withLock { state in
      if state.hasSubscription, !state.isOver { state.valueCount += 1 }
      return state
    }
    guard present.hasSubscription, let downstream = present.downstream else { return .none }
    return below.run { downstream.receive(input) }
  }

  package func receive(completion: Subscribers.Completion<Failure>) {
    guard state.withLock({ $0.hasSubscription }) else { return }
    let old =
      switch completion {
      case .finished: close(.finished)
      case .failure(let error): close(.failed, error)
      }
    guard let downstream = old?.downstream else { return }
    below.run { downstream.receive(completion: completion) }
  }

  // MARK: From downstream

  package func request(_ demand: Subscribers.Demand) {
    let present = state.withLock { $0 }
    above.run { present.upstream?.request(demand) }
  }

  package func cancel() {
    let old = close(.cancelled)
    above.run { old?.upstream?.cancel() }
  }

  /// - Returns: The state before, for its parts to be used and released outside of the lock. `nil` after the end.
  @discardableResult
  private func close(_ outcome: ScopeEnding<Failure>.Outcome, _ failure: Failure? = nil) -> State? {
    let old = state.withLock { state -> State? in
      if state.isOver { return nil }
      defer { (state.isOver, state.upstream, state.downstream) = (true, nil, nil) }
      return state
    }
    guard let old else { return nil }
    onEnd?(ScopeEnding(outcome: outcome, failure: failure, valueCount: old.valueCount))
    return old
  }
}

extension ScopedSubscription: CustomStringConvertible {
  /// The same as upstream's subscription.
  package var description: String { state.withLock { $0.name } }
}
