internal import Streams

/// Subscribes to a publisher and returns its last value. Cancelling the task cancels the subscription.
func lastValue<Source: Publisher>(
  of source: Source
) async throws(ImagePipeline.Error) -> Source.Output
where Source.Failure == ImagePipeline.Error, Source.Output: Sendable {
  let last = LastValue<Source.Output>()
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      last.wait(continuation)
      let subscription = source.sink {
        last.end($0)
      } receiveValue: {
        last.take($0)
      }
      last.hold(subscription)
    }
  } onCancel: {
    last.settle(.failure(.cancelled))
  }
  return try result.get()
}

/// The outcome of a subscription, for one waiting task. The first outcome counts.
private final class LastValue<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, ImagePipeline.Error>

  private struct State {
    var last: Value?
    var outcome: Outcome?
    var waiting: CheckedContinuation<Outcome, Never>?
    var subscription: AnyCancellable?
  }

  private let state = Guarded(State())

  func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.waiting = continuation }
      return state.outcome
    }
    if let outcome { continuation.resume(returning: outcome) }
  }

  func hold(_ subscription: AnyCancellable) {
    let isOver = state.withLock { state in
      if state.outcome == nil { state.subscription = subscription }
      return state.outcome != nil
    }
    if isOver { subscription.cancel() }
  }

  /// Values are released outside the lock.
  func take(_ value: Value) {
    let earlier = state.withLock { state in
      let earlier = state.last
      if state.outcome == nil { state.last = value }
      return earlier
    }
    withExtendedLifetime(earlier) {}
  }

  func end(_ completion: Subscribers.Completion<ImagePipeline.Error>) {
    switch completion {
    case .failure(let error): settle(.failure(error))
    case .finished: settle(state.withLock { $0.last }.map { .success($0) } ?? .failure(.dataIsEmpty))
    }
  }

  func settle(_ outcome: Outcome) {
    let (waiting, subscription, last) = state.withLock { state in
      guard state.outcome == nil else {
        return (CheckedContinuation<Outcome, Never>?.none, AnyCancellable?.none, Value?.none)
      }
      state.outcome = outcome
      return (state.waiting.take(), state.subscription.take(), state.last.take())
    }
    withExtendedLifetime(last) {}
    subscription?.cancel()
    waiting?.resume(returning: outcome)
  }
}
