extension Future where Failure == Never {
  /// The value of the future, awaited.
  ///
  /// Cancelling the task stops neither the work nor the wait, because there is no error to throw. If the promise is
  /// released without a call, the wait never ends, as in Combine, and the standard library reports this on standard
  /// error. `values` ends in both cases: `await future.values.first { _ in true }` then returns `nil`.
  nonisolated(nonsending) public var value: Output {
    get async {
      switch await result {
      case .success(let value): value
      }
    }
  }
}

extension Future {
  /// The value of the future, awaited. Throws the failure.
  ///
  /// If `Failure` is `any Error` or `CancellationError`, cancelling the task ends the wait with a `CancellationError`. So
  /// does a promise that is released without a call. The work continues. With any other type of failure, both behave as
  /// for a future that never fails.
  nonisolated(nonsending) public var value: Output {
    get async throws(Failure) { try await result.get() }
  }

  nonisolated(nonsending) private var result: Result<Output, Failure> {
    get async {
      let cancellation = CancellationError() as? Failure
      let iteration = AsyncIteration(self, .prefetching(0))
      let arrival = await iteration.next(isolation: #isolation, isCancellable: cancellation != nil)
      switch arrival {
      case .value(let value): return .success(value)
      case .end(let failure?): return .failure(failure)
      case .end(nil): break
      }
      if let cancellation { return .failure(cancellation) }
      // Nobody will ever resume this: a checked continuation reports that.
      return await withCheckedContinuation(function: "Future.value") { _ in }
    }
  }
}
