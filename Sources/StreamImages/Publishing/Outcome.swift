internal import Streams

/// Waits for the last value of a publisher. Cancelling the task cancels the subscription.
func lastValue<Source: Publisher>(
  of source: Source
) async throws(ImagePipeline.Error) -> Source.Output
where Source.Failure == ImagePipeline.Error, Source.Output: Sendable {
  let outcome = Outcome<Source.Output>()
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation { continuation in
      outcome.wait(continuation)
      let subscription = source.sink {
        outcome.end($0)
      } receiveValue: {
        outcome.take($0)
      }
      outcome.hold(subscription)
    }
  } onCancel: {
    outcome.settle(.failure(.cancelled))
  }
  return try result.get()
}

/// What comes of a subscription, for one who waits. The first result counts.
private final class Outcome<Value: Sendable>: Sendable {
  typealias Verdict = Result<Value, ImagePipeline.Error>

  private struct State {
    var last: Value?
    var verdict: Verdict?
    var waiting: CheckedContinuation<Verdict, Never>?
    var subscription: AnyCancellable?
  }

  private let state = Guarded(State())

  func wait(_ continuation: CheckedContinuation<Verdict, Never>) {
    let verdict = state.withLock { state in
      if state.verdict == nil { state.waiting = continuation }
      return state.verdict
    }
    if let verdict { continuation.resume(returning: verdict) }
  }

  func hold(_ subscription: AnyCancellable) {
    let isOver = state.withLock { state in
      if state.verdict == nil { state.subscription = subscription }
      return state.verdict != nil
    }
    if isOver { subscription.cancel() }
  }

  func take(_ value: Value) { state.withLock { $0.last = value } }

  func end(_ completion: Subscribers.Completion<ImagePipeline.Error>) {
    switch completion {
    case .failure(let error): settle(.failure(error))
    case .finished: settle(state.withLock { $0.last }.map { .success($0) } ?? .failure(.dataIsEmpty))
    }
  }

  func settle(_ verdict: Verdict) {
    let (waiting, subscription) = state.withLock { state in
      guard state.verdict == nil else {
        return (CheckedContinuation<Verdict, Never>?.none, AnyCancellable?.none)
      }
      state.verdict = verdict
      state.last = nil
      return (state.waiting.take(), state.subscription.take())
    }
    subscription?.cancel()
    waiting?.resume(returning: verdict)
  }
}
