// These take precedence over the operators of every publisher where the type is known to be `Just`. They do their
// work here and now, not for each subscriber: closures run when the operator is called.

extension Just {
  // MARK: Mapping

  /// Transforms the value immediately.
  @inlinable
  public func map<NewOutput>(_ transform: (Output) -> NewOutput) -> Just<NewOutput> {
    Just<NewOutput>(transform(output))
  }

  /// Transforms the value immediately. Fails if the closure throws.
  @inlinable
  public func tryMap<NewOutput>(
    _ transform: (Output) throws -> NewOutput
  ) -> Result<NewOutput, any Error>.Publisher {
    Result { try transform(output) }.publisher
  }

  /// Transforms the value immediately, and drops `nil`.
  @inlinable
  public func compactMap<NewOutput>(_ transform: (Output) -> NewOutput?) -> Optional<NewOutput>.Publisher {
    transform(output).publisher
  }

  /// Declares a type of failure. The closure is never called.
  @inlinable
  public func mapError<NewFailure: Error>(
    _ transform: (Never) -> NewFailure
  ) -> Result<Output, NewFailure>.Publisher {
    Result.Publisher(.success(output))
  }

  /// Declares a type of failure.
  @inlinable
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Result<Output, NewFailure>.Publisher {
    Result.Publisher(.success(output))
  }

  /// Combines the value with the initial result immediately.
  @inlinable
  public func scan<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) -> Accumulated
  ) -> Result<Accumulated, Never>.Publisher {
    Result.Publisher(.success(nextPartialResult(initialResult, output)))
  }

  /// Combines the value with the initial result immediately. Fails if the closure throws.
  @inlinable
  public func tryScan<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) throws -> Accumulated
  ) -> Result<Accumulated, any Error>.Publisher {
    Result { try nextPartialResult(initialResult, output) }.publisher
  }

  // MARK: Folding

  /// Sends the value as an array.
  @inlinable
  public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

  /// Sends 1.
  @inlinable
  public func count() -> Just<Int> { Just<Int>(1) }

  /// Combines the value with the initial result immediately.
  @inlinable
  public func reduce<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) -> Accumulated
  ) -> Result<Accumulated, Never>.Publisher {
    Result.Publisher(.success(nextPartialResult(initialResult, output)))
  }

  /// Combines the value with the initial result immediately. Fails if the closure throws.
  @inlinable
  public func tryReduce<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) throws -> Accumulated
  ) -> Result<Accumulated, any Error>.Publisher {
    Result { try nextPartialResult(initialResult, output) }.publisher
  }

  /// Finishes immediately, without a value.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Never> { Empty() }

  /// Returns this publisher. The closure is not called, because there is at most one value.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Returns this publisher. The closure is not called, because there is at most one value.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Sends whether the value satisfies the predicate, which is called immediately.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> { Just<Bool>(predicate(output)) }

  /// Sends whether the value satisfies the predicate, which is called immediately. Fails if it throws.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try predicate(output) }.publisher
  }

  /// Sends whether the value satisfies the predicate, which is called immediately.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Just<Bool> { Just<Bool>(predicate(output)) }

  /// Sends whether the value satisfies the predicate, which is called immediately. Fails if it throws.
  @inlinable
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try predicate(output) }.publisher
  }
}

extension Just where Output: Equatable {
  /// Sends whether the value equals `output`.
  @inlinable
  public func contains(_ output: Output) -> Just<Bool> { Just<Bool>(self.output == output) }

  /// Returns this publisher, because there is at most one value.
  @inlinable
  public func removeDuplicates() -> Just<Output> { self }
}

extension Just where Output: Comparable {
  /// Returns this publisher, because there is at most one value.
  @inlinable
  public func min() -> Just<Output> { self }

  /// Returns this publisher, because there is at most one value.
  @inlinable
  public func max() -> Just<Output> { self }
}
