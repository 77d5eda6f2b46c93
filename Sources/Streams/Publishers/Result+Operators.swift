// These take precedence over the operators of every publisher where the type is known to be `Result.Publisher`. They do
// their work here and now, not for each subscriber: closures run when the operator is called.

extension Result.Publisher {
  // MARK: Mapping

  /// The value, transformed at once.
  @inlinable
  public func map<NewOutput>(_ transform: (Output) -> NewOutput) -> Result<NewOutput, Failure>.Publisher {
    result.map(transform).publisher
  }

  /// The value, transformed at once; fails if the closure throws.
  @inlinable
  public func tryMap<NewOutput>(
    _ transform: (Output) throws -> NewOutput
  ) -> Result<NewOutput, any Error>.Publisher {
    Result<NewOutput, any Error> { try transform(result.get()) }.publisher
  }

  /// The failure, transformed at once.
  @inlinable
  public func mapError<NewFailure: Error>(
    _ transform: (Failure) -> NewFailure
  ) -> Result<Output, NewFailure>.Publisher {
    result.mapError(transform).publisher
  }

  /// The first step of the accumulation, taken at once.
  @inlinable
  public func scan<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) -> Accumulated
  ) -> Result<Accumulated, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// The first step of the accumulation, taken at once; fails if the closure throws.
  @inlinable
  public func tryScan<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) throws -> Accumulated
  ) -> Result<Accumulated, any Error>.Publisher {
    tryMap { try nextPartialResult(initialResult, $0) }
  }

  // MARK: Folding

  /// The value as an array.
  @inlinable
  public func collect() -> Result<[Output], Failure>.Publisher { map { [$0] } }

  /// One.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher { map { _ in 1 } }

  /// The accumulation of one value, at once.
  @inlinable
  public func reduce<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) -> Accumulated
  ) -> Result<Accumulated, Failure>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// The accumulation of one value, at once; fails if the closure throws.
  @inlinable
  public func tryReduce<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) throws -> Accumulated
  ) -> Result<Accumulated, any Error>.Publisher {
    tryMap { try nextPartialResult(initialResult, $0) }
  }

  /// Nothing: finishes at once, even in place of a failure.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

  /// This. The closure is not called: one value has no order.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// This. The closure is not called: one value has no order.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Result<Output, Failure>.Publisher {
    self
  }

  /// The value. The closure is called once, at once, with the value twice, for what it may throw.
  @inlinable
  public func tryMin(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryRemoveDuplicates(by: areInIncreasingOrder)
  }

  /// The value. The closure is called once, at once, with the value twice, for what it may throw.
  @inlinable
  public func tryMax(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryRemoveDuplicates(by: areInIncreasingOrder)
  }

  /// Whether the value satisfies a condition, asked at once.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher { map(predicate) }

  /// Whether the value satisfies a condition, asked at once; fails if the closure throws.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }

  /// Whether the value satisfies a condition, asked at once.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    map(predicate)
  }

  /// Whether the value satisfies a condition, asked at once; fails if the closure throws.
  @inlinable
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    tryMap(predicate)
  }
}

extension Result.Publisher where Success: Equatable {
  /// Whether the value is this one.
  @inlinable
  public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher { map { $0 == output } }

  /// This: one value has no duplicates.
  @inlinable
  public func removeDuplicates() -> Result<Output, Failure>.Publisher { self }
}

extension Result.Publisher where Success: Comparable {
  /// This: the only value is the least.
  @inlinable
  public func min() -> Result<Output, Failure>.Publisher { self }

  /// This: the only value is the greatest.
  @inlinable
  public func max() -> Result<Output, Failure>.Publisher { self }
}
