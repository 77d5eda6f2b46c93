package import Streams

/// Work that delivers previews and then one result, or fails. The flow of a pipeline consists of steps.
///
/// Thousands of requests may wait for their turn, so a step that waits is a few closures. It has no subscription, no task
/// and no buffer.
///
/// Outcomes arrive on any thread. A failure may overtake a preview, so a receiver ignores what arrives after the end.
package struct FlowStep<Output: Sendable>: Sendable {
  package typealias Outcome = Result<Output, ImagePipeline.Error>
  package typealias Receiver = @Sendable (Outcome) -> Void

  private let start: @Sendable (StepRun, @escaping Receiver) -> Void

  package init(_ start: @escaping @Sendable (StepRun, @escaping Receiver) -> Void) { self.start = start }

  /// Starts the work. Cancelling `run` stops it.
  package func begin(_ run: StepRun, _ receive: @escaping Receiver) { start(run, receive) }
}

extension FlowStep {
  package static func just(_ output: Output) -> FlowStep {
    FlowStep { _, receive in receive(.success(output)) }
  }

  package static func failing(_ error: ImagePipeline.Error) -> FlowStep {
    FlowStep { _, receive in receive(.failure(error)) }
  }

  /// Runs an async function in a new task.
  package static func task(
    _ work: @escaping @Sendable () async throws(ImagePipeline.Error) -> Output
  ) -> FlowStep {
    task(showing: { (_: @escaping @Sendable (Output) -> Void) throws(ImagePipeline.Error) in
      try await work()
    })
  }

  /// The same for a function that also delivers previews.
  package static func task(
    showing work:
      @escaping @Sendable (_ show: @escaping @Sendable (Output) -> Void) async throws(ImagePipeline.Error) ->
      Output
  ) -> FlowStep {
    FlowStep { run, receive in
      run.hold {
        let task = Task.detached {
          do throws(ImagePipeline.Error) {
            receive(.success(try await work { receive(.success($0)) }))
          } catch {
            receive(.failure(error))
          }
        }
        return AnyCancellable { task.cancel() }
      }
    }
  }

  package func map<Other>(
    _ transform: @escaping @Sendable (Output) throws(ImagePipeline.Error) -> Other
  ) -> FlowStep<Other> {
    FlowStep<Other> { run, receive in
      begin(run) { outcome in
        receive(
          Result { () throws(ImagePipeline.Error) in try transform(try outcome.get()) })
      }
    }
  }

  /// Continues with a step that depends on the result. Only a step that delivers at once may follow a preview.
  package func flatMap<Next>(_ next: @escaping @Sendable (Output) -> FlowStep<Next>) -> FlowStep<Next> {
    FlowStep<Next> { run, receive in
      begin(run) { outcome in
        switch outcome {
        case .success(let output): next(output).begin(run, receive)
        case .failure(let error): receive(.failure(error))
        }
      }
    }
  }
}

/// A step in progress: what has to be cancelled to stop it.
package final class StepRun: Cancellable, Sendable {
  private struct State {
    var held: (any Cancellable & AnyObject)?
    /// Increases with each work that begins.
    var number = 0
    var isCancelled = false
  }

  private let state = Guarded(State())

  package init() {}

  /// Begins work and keeps what cancels it. Once the run is cancelled, nothing begins.
  package func hold(_ begin: () -> (any Cancellable & AnyObject)?) {
    let number = state.withLock { state -> Int? in
      if state.isCancelled { return nil }
      state.number += 1
      return state.number
    }
    guard let number else { return }
    let work = begin()
    let gone = state.withLock { state -> (any Cancellable & AnyObject)? in
      // The work may have ended already, and later work may have begun.
      guard state.number == number, !state.isCancelled else { return work }
      defer { state.held = work }
      return state.held
    }
    // Work that has ended ignores it.
    gone?.cancel()
  }

  package func cancel() {
    let held = state.withLock { state in
      state.isCancelled = true
      return state.held.take()
    }
    held?.cancel()
  }
}

/// Waits for the result of a step, without its previews. Cancelling the task cancels the step.
package func result<Value: JobValue>(of step: FlowStep<Value>) async throws(ImagePipeline.Error) -> Value {
  try await value(of: step.withoutPreviews)
}

/// Waits for the first value of a step.
package func value<Value>(of step: FlowStep<Value>) async throws(ImagePipeline.Error) -> Value {
  let (promise, run) = (Promise<Result<Value, ImagePipeline.Error>>(), StepRun())
  let result = await promise.value(ifCancelled: .failure(.cancelled)) {
    step.begin(run) { promise.fulfil($0) }
  }
  // It may have been cancelled.
  run.cancel()
  return try result.get()
}
