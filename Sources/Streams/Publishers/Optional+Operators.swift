// These take precedence over the operators of every publisher where the type is known to be `Optional.Publisher`.
// They do their work here and now, not for each subscriber: closures run when the operator is called. Without a value
// they send nothing, even where the general operator would send its start: `count()`, `reduce`, `allSatisfy`.

extension Optional.Publisher {
  // MARK: Mapping

  /// The value, transformed at once.
  @inlinable
  public func map<NewOutput>(_ transform: (Output) -> NewOutput) -> Optional<NewOutput>.Publisher {
    output.map(transform).publisher
  }

  /// The value, transformed at once; nothing if that gives `nil`.
  @inlinable
  public func compactMap<NewOutput>(_ transform: (Output) -> NewOutput?) -> Optional<NewOutput>.Publisher {
    output.flatMap(transform).publisher
  }

  /// The first step of the accumulation, taken at once.
  @inlinable
  public func scan<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) -> Accumulated
  ) -> Optional<Accumulated>.Publisher {
    output.map { nextPartialResult(initialResult, $0) }.publisher
  }

  // MARK: Folding

  /// The value as an array; without a value, an empty array.
  @inlinable
  public func collect() -> Optional<[Output]>.Publisher {
    Optional<[Output]>.Publisher(output.map { [$0] } ?? [])
  }

  /// One; without a value, nothing.
  @inlinable
  public func count() -> Optional<Int>.Publisher { output.map { _ in 1 }.publisher }

  /// The accumulation of the value, at once; without a value, nothing.
  @inlinable
  public func reduce<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: (Accumulated, Output) -> Accumulated
  ) -> Optional<Accumulated>.Publisher {
    output.map { nextPartialResult(initialResult, $0) }.publisher
  }

  /// Nothing: finishes at once.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

  /// This. The closure is not called: one value has no order.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Wrapped>.Publisher { self }

  /// This. The closure is not called: one value has no order.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Wrapped>.Publisher { self }

  /// Whether the value satisfies a condition, asked at once; without a value, nothing.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Optional<Bool>.Publisher {
    output.map(predicate).publisher
  }

  /// Whether the value satisfies a condition, asked at once; without a value, nothing.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Optional<Bool>.Publisher {
    output.map(predicate).publisher
  }
}

extension Optional.Publisher where Wrapped: Equatable {
  /// Whether the value is this one; without a value, nothing.
  @inlinable
  public func contains(_ output: Output) -> Optional<Bool>.Publisher {
    self.output.map { $0 == output }.publisher
  }

  /// This: one value has no duplicates.
  @inlinable
  public func removeDuplicates() -> Optional<Wrapped>.Publisher { self }
}

extension Optional.Publisher where Wrapped: Comparable {
  /// This: the only value is the least.
  @inlinable
  public func min() -> Optional<Wrapped>.Publisher { self }

  /// This: the only value is the greatest.
  @inlinable
  public func max() -> Optional<Wrapped>.Publisher { self }
}
