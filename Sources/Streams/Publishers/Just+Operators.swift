// These take precedence over the operators of every publisher where the type is known to be `Just`. They do their
// work here and now, not for each subscriber: closures run when the operator is called.

extension Just {
  // MARK: Mapping

  /// The value, transformed at once.
  @inlinable
  public func map<NewOutput>(_ transform: (Output) -> NewOutput) -> Just<NewOutput> {
    Just<NewOutput>(transform(output))
  }

  /// The value, transformed at once; fails if the closure throws.
  @inlinable
  public func tryMap<NewOutput>(
    _ transform: (Output) throws -> NewOutput
  ) -> Result<NewOutput, any Error>.Publisher {
    Result { try transform(output) }.publisher
  }

  /// The value, transformed at once; nothing if that gives `nil`.
  @inlinable
  public func compactMap<NewOutput>(_ transform: (Output) -> NewOutput?) -> Optional<NewOutput>.Publisher {
    transform(output).publisher
  }

  /// The same value with a failure type. The closure is never called.
  @inlinable
  public func mapError<NewFailure: Error>(
    _ transform: (Never) -> NewFailure
  ) -> Result<Output, NewFailure>.Publisher {
    Result.Publisher(.success(output))
  }

  /// The same value with a failure type.
  @inlinable
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Result<Output, NewFailure>.Publisher {
    Result.Publisher(.success(output))
  }

  /// The first step of the accumulation, taken at once.
  @inlinable
  public func scan<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) -> Accumulated
  ) -> Result<Accumulated, Never>.Publisher {
    Result.Publisher(.success(nextPartialResult(initialResult, output)))
  }

  /// The first step of the accumulation, taken at once; fails if the closure throws.
  @inlinable
  public func tryScan<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) throws -> Accumulated
  ) -> Result<Accumulated, any Error>.Publisher {
    Result { try nextPartialResult(initialResult, output) }.publisher
  }

  // MARK: Folding

  /// The value as an array.
  @inlinable
  public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

  /// One.
  @inlinable
  public func count() -> Just<Int> { Just<Int>(1) }

  /// The accumulation of one value, at once.
  @inlinable
  public func reduce<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) -> Accumulated
  ) -> Result<Accumulated, Never>.Publisher {
    Result.Publisher(.success(nextPartialResult(initialResult, output)))
  }

  /// The accumulation of one value, at once; fails if the closure throws.
  @inlinable
  public func tryReduce<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) throws -> Accumulated
  ) -> Result<Accumulated, any Error>.Publisher {
    Result { try nextPartialResult(initialResult, output) }.publisher
  }

  /// Nothing: finishes at once.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Never> { Empty() }

  /// This. The closure is not called: one value has no order.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  /// This. The closure is not called: one value has no order.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Whether the value satisfies a condition, asked at once.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> { Just<Bool>(predicate(output)) }

  /// Whether the value satisfies a condition, asked at once; fails if the closure throws.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try predicate(output) }.publisher
  }

  /// Whether the value satisfies a condition, asked at once.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Just<Bool> { Just<Bool>(predicate(output)) }

  /// Whether the value satisfies a condition, asked at once; fails if the closure throws.
  @inlinable
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try predicate(output) }.publisher
  }
}

extension Just where Output: Equatable {
  /// Whether the value is this one.
  @inlinable
  public func contains(_ output: Output) -> Just<Bool> { Just<Bool>(self.output == output) }

  /// This: one value has no duplicates.
  @inlinable
  public func removeDuplicates() -> Just<Output> { self }
}

extension Just where Output: Comparable {
  /// This: the only value is the least.
  @inlinable
  public func min() -> Just<Output> { self }

  /// This: the only value is the greatest.
  @inlinable
  public func max() -> Just<Output> { self }
}
