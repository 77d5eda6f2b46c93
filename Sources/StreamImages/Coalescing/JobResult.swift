internal import Streams

/// Waits for the result of a step, without its previews. Cancelling the task cancels the step.
package func result<Value: JobValue>(of step: FlowStep<Value>) async throws(ImagePipeline.Error) -> Value {
  try await value(of: step.withoutPreviews)
}

/// Waits for the first value of a step.
func value<Value>(of step: FlowStep<Value>) async throws(ImagePipeline.Error) -> Value {
  let (promise, run) = (Promise<Result<Value, ImagePipeline.Error>>(), StepRun())
  let result = await promise.value(ifCancelled: .failure(.cancelled)) {
    step.begin(run) { promise.fulfil($0) }
  }
  // It may have been cancelled.
  run.cancel()
  return try result.get()
}
