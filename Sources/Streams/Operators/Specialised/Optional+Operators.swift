// These take precedence over the operators of every publisher where the type is known to be `Optional.Publisher`.
// They do their work here and now, not for each subscriber: closures run when the operator is called. Without a value
// all but `collect()` and `replaceEmpty(with:)` send nothing, even where the general operator would send its start.

extension Optional.Publisher {
  // MARK: Mapping

  /// Transforms the value immediately.
  @inlinable
  public func map<NewOutput>(_ transform: (Output) -> NewOutput) -> Optional<NewOutput>.Publisher {
    output.map(transform).publisher
  }

  /// Transforms the value immediately, and drops `nil`.
  @inlinable
  public func compactMap<NewOutput>(_ transform: (Output) -> NewOutput?) -> Optional<NewOutput>.Publisher {
    output.flatMap(transform).publisher
  }

  /// Combines the value with the initial result immediately.
  @inlinable
  public func scan<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) -> Accumulated
  ) -> Optional<Accumulated>.Publisher {
    output.map { nextPartialResult(initialResult, $0) }.publisher
  }

  // MARK: Folding

  /// Sends the value as an array, or an empty array without a value.
  @inlinable
  public func collect() -> Optional<[Output]>.Publisher {
    Optional<[Output]>.Publisher(output.map { [$0] } ?? [])
  }

  /// Sends 1, or nothing without a value.
  @inlinable
  public func count() -> Optional<Int>.Publisher { output.map { _ in 1 }.publisher }

  /// Combines the value with the initial result immediately. Sends nothing without a value.
  @inlinable
  public func reduce<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) -> Accumulated
  ) -> Optional<Accumulated>.Publisher {
    output.map { nextPartialResult(initialResult, $0) }.publisher
  }

  /// Finishes immediately, without a value.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

  /// Returns this publisher. The closure is not called, because there is at most one value.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Wrapped>.Publisher { self }

  /// Returns this publisher. The closure is not called, because there is at most one value.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Wrapped>.Publisher { self }

  /// Sends whether the value satisfies the predicate, which is called immediately. Sends nothing without a value.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Optional<Bool>.Publisher {
    output.map(predicate).publisher
  }

  /// Sends whether the value satisfies the predicate, which is called immediately. Sends nothing without a value.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Optional<Bool>.Publisher {
    output.map(predicate).publisher
  }
}

extension Optional.Publisher where Wrapped: Equatable {
  /// Sends whether the value equals `output`. Sends nothing without a value.
  @inlinable
  public func contains(_ output: Output) -> Optional<Bool>.Publisher {
    self.output.map { $0 == output }.publisher
  }

  /// Returns this publisher, because there is at most one value.
  @inlinable
  public func removeDuplicates() -> Optional<Wrapped>.Publisher { self }
}

extension Optional.Publisher where Wrapped: Comparable {
  /// Returns this publisher, because there is at most one value.
  @inlinable
  public func min() -> Optional<Wrapped>.Publisher { self }

  /// Returns this publisher, because there is at most one value.
  @inlinable
  public func max() -> Optional<Wrapped>.Publisher { self }
}
