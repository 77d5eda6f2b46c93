// These take precedence over the operators of every publisher where the type is known to be `Result.Publisher`. They do
// their work here and now, not for each subscriber: closures run when the operator is called.

extension Result.Publisher {
  // MARK: Mapping

  /// Transforms the value immediately.
  @inlinable
  public func map<NewOutput>(_ transform: (Output) -> NewOutput) -> Result<NewOutput, Failure>.Publisher {
    result.map(transform).publisher
  }

  /// Transforms the value immediately. Fails if the closure throws.
  @inlinable
  public func tryMap<NewOutput>(
    _ transform: (Output) throws -> NewOutput
  ) -> Result<NewOutput, any Error>.Publisher {
    Result<NewOutput, any Error> { try transform(result.get()) }.publisher
  }

  /// Transforms the failure immediately.
  @inlinable
  public func mapError<NewFailure: Error>(
    _ transform: (Failure) -> NewFailure
  ) -> Result<Output, NewFailure>.Publisher {
    result.mapError(transform).publisher
  }

  /// Combines the value with the initial result immediately.
  @inlinable
  public func scan<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) -> Accumulated
  ) -> Result<Accumulated, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Combines the value with the initial result immediately. Fails if the closure throws.
  @inlinable
  public func tryScan<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) throws -> Accumulated
  ) -> Result<Accumulated, any Error>.Publisher {
    tryMap { try nextPartialResult(initialResult, $0) }
  }

  // MARK: Folding

  /// Sends the value as an array.
  @inlinable
  public func collect() -> Result<[Output], Failure>.Publisher { map { [$0] } }

  /// Sends 1.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher { map { _ in 1 } }

  /// Combines the value with the initial result immediately.
  @inlinable
  public func reduce<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) -> Accumulated
  ) -> Result<Accumulated, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Combines the value with the initial result immediately. Fails if the closure throws.
  @inlinable
  public func tryReduce<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) throws -> Accumulated
  ) -> Result<Accumulated, any Error>.Publisher {
    tryMap { try nextPartialResult(initialResult, $0) }
  }

  /// Finishes immediately, even instead of a failure.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

  /// Returns this publisher. The closure is not called, because there is at most one value.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// Returns this publisher. The closure is not called, because there is at most one value.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// If there is a value, calls the closure once, immediately, with the value twice. Fails if the closure throws.
  @inlinable
  public func tryMin(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryRemoveDuplicates(by: areInIncreasingOrder)
  }

  /// If there is a value, calls the closure once, immediately, with the value twice. Fails if the closure throws.
  @inlinable
  public func tryMax(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryRemoveDuplicates(by: areInIncreasingOrder)
  }

  /// Sends whether the value satisfies the predicate, which is called immediately.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher { map(predicate) }

  /// Sends whether the value satisfies the predicate, which is called immediately. Fails if it throws.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Sends whether the value satisfies the predicate, which is called immediately.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    map(predicate)
  }

  /// Sends whether the value satisfies the predicate, which is called immediately. Fails if it throws.
  @inlinable
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }
}

extension Result.Publisher where Success: Equatable {
  /// Sends whether the value equals `output`.
  @inlinable
  public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher { map { $0 == output } }

  /// Returns this publisher, because there is at most one value.
  @inlinable
  public func removeDuplicates() -> Result<Output, Failure>.Publisher { self }
}

extension Result.Publisher where Success: Comparable {
  /// Returns this publisher, because there is at most one value.
  @inlinable
  public func min() -> Result<Output, Failure>.Publisher { self }

  /// Returns this publisher, because there is at most one value.
  @inlinable
  public func max() -> Result<Output, Failure>.Publisher { self }
}
