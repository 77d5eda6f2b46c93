internal import Streams

/// Subscribes to a job and returns its result. Cancelling the task leaves the job.
///
/// Previews are passed to `handle`, one at a time. Of those that arrive meanwhile, only the latest is kept, and the result
/// replaces it.
func result<Value: JobValue>(
  of job: AnyPublisher<Value, ImagePipeline.Error>, eachPreview handle: (Value) async -> Void = { _ in }
) async throws(ImagePipeline.Error) -> Value {
  let subscriber = PullingSubscriber<Value>()
  job.subscribe(subscriber)
  while true {
    let value = try await subscriber.next()
    guard value.isPreview else { return value }
    await handle(value)
  }
}

/// A subscriber that requests one value at a time, for one task that waits for it.
private final class PullingSubscriber<Input: Sendable>: Subscriber, Sendable {
  typealias Failure = ImagePipeline.Error
  private typealias Outcome = Result<Input, ImagePipeline.Error>

  private struct State {
    var subscription: (any Subscription)?
    var waiting: CheckedContinuation<Outcome, Never>?
    /// Received before the task waited.
    var received: Outcome?
  }

  private let state = Guarded(State())

  deinit { state.withLock { $0.subscription.take() }?.cancel() }

  /// Waits for the next value. Throws once the publisher has ended.
  func next() async throws(ImagePipeline.Error) -> Input {
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let subscription = state.withLock { state in
          state.waiting = continuation
          return state.subscription
        }
        subscription?.request(.max(1))
        deliver(nil)
      }
    } onCancel: {
      state.withLock { $0.subscription.take() }?.cancel()
      deliver(.failure(.cancelled))
    }
    return try outcome.get()
  }

  func receive(subscription: any Subscription) { state.withLock { $0.subscription = subscription } }

  func receive(_ input: Input) -> Subscribers.Demand {
    deliver(.success(input))
    return .none
  }

  func receive(completion: Subscribers.Completion<ImagePipeline.Error>) {
    let subscription = state.withLock { $0.subscription.take() }
    switch completion {
    case .failure(let error): deliver(.failure(error))
    case .finished: deliver(.failure(.dataIsEmpty))
    }
    withExtendedLifetime(subscription) {}
  }

  /// Resumes the task, if it waits and something was received. The first of several outcomes counts.
  private func deliver(_ outcome: Outcome?) {
    let resumed = state.withLock { state -> (CheckedContinuation<Outcome, Never>, Outcome)? in
      if state.received == nil { state.received = outcome }
      guard let waiting = state.waiting, let received = state.received else { return nil }
      (state.waiting, state.received) = (nil, nil)
      return (waiting, received)
    }
    resumed?.0.resume(returning: resumed!.1)
  }
}
