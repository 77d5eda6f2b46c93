extension Future where Failure == Never {
  /// Waits for the value.
  ///
  /// Cancelling the task stops neither the work nor the wait: there is nothing to answer instead. If the promise is
  /// dropped without a call, the wait never ends, as in Combine, and the standard library says so on the standard
  /// error output. `values` ends in both cases: `await future.values.first { _ in true }` is `nil` then.
  nonisolated(nonsending) public var value: Output {
    get async {
      switch await result {
      case .success(let value): value
      }
    }
  }
}

extension Future {
  /// Waits for the value, or throws the failure.
  ///
  /// If the failure may be any error, cancelling the task ends the wait with a `CancellationError`; so does a promise
  /// that is dropped without a call. The work goes on. A failure of another type leaves nothing to throw: then it is
  /// as with futures that cannot fail.
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

extension Future where Output: Sendable {
  /// A future of what an asynchronous closure returns or throws.
  ///
  /// The task begins here and now, and is not cancelled with a subscriber: the result is for all of them. A closure
  /// that belongs to an actor runs there.
  @_disfavoredOverload
  public convenience init(
    priority: TaskPriority? = nil,
    @_inheritActorContext operation: sending @escaping @isolated(any) () async throws(Failure) -> Output
  ) {
    var made: Promise?
    self.init { made = $0 }
    guard let promise = made else { return }
    Errand.start(priority: priority) {
      do throws(Failure) {
        promise(.success(try await operation()))
      } catch {
        promise(.failure(error))
      }
    }
  }
}
