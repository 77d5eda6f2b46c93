// These take precedence over the operators of every publisher where the type is known to be `Publishers.Sequence`. They
// do their work here and now, not for each subscriber: closures run when the operator is called, and those that read to
// the end never return if the sequence has none. `dropFirst`, `drop(while:)` and `prefix(_:)` stay lazy.

extension Publishers.Sequence {
  // MARK: Mapping

  /// The elements, all transformed at once.
  @inlinable
  public func map<NewOutput>(
    _ transform: (Elements.Element) -> NewOutput
  ) -> Publishers.Sequence<[NewOutput], Failure> {
    Publishers.Sequence(sequence: sequence.map(transform))
  }

  /// The elements, all transformed at once, without those for which that gives `nil`.
  @inlinable
  public func compactMap<NewOutput>(
    _ transform: (Output) -> NewOutput?
  ) -> Publishers.Sequence<[NewOutput], Failure> {
    Publishers.Sequence(sequence: sequence.compactMap(transform))
  }

  /// The elements with `output` in place of `nil`, all at once. They remain optionals.
  @inlinable
  public func replaceNil<Wrapped>(with output: Wrapped) -> Publishers.Sequence<[Output], Failure>
  where Elements.Element == Wrapped? {
    Publishers.Sequence(sequence: sequence.map { $0 ?? output })
  }

  /// The steps of the accumulation, all taken at once.
  @inlinable
  public func scan<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: @escaping (Accumulated, Output) -> Accumulated
  ) -> Publishers.Sequence<[Accumulated], Failure> {
    var accumulated = initialResult
    return map {
      accumulated = nextPartialResult(accumulated, $0)
      return accumulated
    }
  }

  /// The same elements with another failure type.
  @inlinable
  public func setFailureType<NewFailure: Error>(
    to error: NewFailure.Type
  ) -> Publishers.Sequence<Elements, NewFailure> {
    Publishers.Sequence<Elements, NewFailure>(sequence: sequence)
  }

  // MARK: Folding

  /// The elements as one array, made at once.
  @inlinable
  public func collect() -> Result<[Output], Failure>.Publisher { Result.Publisher(.success(Array(sequence))) }

  /// The accumulation of the elements, made at once.
  @inlinable
  public func reduce<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: @escaping (Accumulated, Output) -> Accumulated
  ) -> Result<Accumulated, Failure>.Publisher {
    Result.Publisher(.success(sequence.reduce(initialResult, nextPartialResult)))
  }

  /// The accumulation of the elements, made at once; fails if the closure throws.
  @inlinable
  public func tryReduce<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: @escaping (Accumulated, Output) throws -> Accumulated
  ) -> Result<Accumulated, any Error>.Publisher {
    Result { try sequence.reduce(initialResult, nextPartialResult) }.publisher
  }

  /// Nothing: finishes at once, without reading the elements.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

  /// Whether all elements satisfy a condition, asked at once, until one does not.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    Result.Publisher(.success(sequence.allSatisfy(predicate)))
  }

  /// Whether all elements satisfy a condition, asked at once, until one does not; fails if the closure throws.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try sequence.allSatisfy(predicate) }.publisher
  }

  /// Whether an element satisfies a condition, asked at once, until one does.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    Result.Publisher(.success(sequence.contains(where: predicate)))
  }

  /// Whether an element satisfies a condition, asked at once, until one does; fails if the closure throws.
  @inlinable
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try sequence.contains(where: predicate) }.publisher
  }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  /// Whether an element is this one, looked for at once.
  @inlinable
  public func contains(_ output: Elements.Element) -> Result<Bool, Failure>.Publisher {
    Result.Publisher(.success(sequence.contains(output)))
  }
}

extension Publishers.Sequence where Failure == Never {
  /// The least element by an order, found at once. Of equals, the first.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(sequence.min(by: areInIncreasingOrder))
  }

  /// The greatest element by an order, found at once. Of equals, the first.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(sequence.max(by: areInIncreasingOrder))
  }
}

extension Publishers.Sequence where Failure == Never, Elements.Element: Comparable {
  /// The least element, found at once. Of equals, the first.
  @inlinable
  public func min() -> Optional<Output>.Publisher { Optional.Publisher(sequence.min()) }

  /// The greatest element, found at once. Of equals, the first.
  @inlinable
  public func max() -> Optional<Output>.Publisher { Optional.Publisher(sequence.max()) }
}

// `count` stands three times, so that each kind of collection has one that is the best match.

extension Publishers.Sequence where Elements: Collection {
  /// The number of elements, counted at once.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher { Result.Publisher(.success(sequence.count)) }
}

extension Publishers.Sequence where Elements: RandomAccessCollection {
  /// The number of elements.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher { Result.Publisher(.success(sequence.count)) }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
  /// The number of elements.
  @inlinable
  public func count() -> Just<Int> { Just(sequence.count) }
}
