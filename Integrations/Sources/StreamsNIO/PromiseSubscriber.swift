internal import NIOConcurrencyHelpers
internal import NIOCore
internal import Streams

/// Fulfils a promise with the first value.
final class PromiseSubscriber<Input: Sendable, Failure: Error>: Subscriber {
  private struct State {
    /// `nil` when it is fulfilled.
    var promise: EventLoopPromise<Input>?
    var subscription: (any Subscription)?
  }

  private let state: NIOLockedValueBox<State>

  init(_ promise: EventLoopPromise<Input>) { state = NIOLockedValueBox(State(promise: promise)) }

  /// A promise that is released without a result is an error of SwiftNIO.
  deinit { fulfil(.failure(NoFirstValue.released)) }

  func receive(subscription: any Subscription) {
    let isFirst = state.withLockedValue { state in
      guard state.promise != nil, state.subscription == nil else { return false }
      state.subscription = subscription
      return true
    }
    if isFirst { subscription.request(.max(1)) } else { subscription.cancel() }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    fulfil(.success(input))?.cancel()
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: fulfil(.failure(NoFirstValue.finished))
    case .failure(let error): fulfil(.failure(error))
    }
  }

  /// - Returns: The subscription, if this is the first result.
  @discardableResult
  private func fulfil(_ result: Result<Input, any Error>) -> (any Subscription)? {
    let old = state.withLockedValue { state in
      defer { state = State() }
      return state
    }
    old.promise?.completeWith(result)
    return old.subscription
  }
}
