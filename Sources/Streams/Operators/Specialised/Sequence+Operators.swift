// These take precedence over the operators of every publisher where the type is known to be `Publishers.Sequence`. They
// do their work here and now, not for each subscriber: closures run when the operator is called, and those that read to
// the end never return if the sequence has none. `dropFirst` and `prefix(_:)` stay lazy, as does `drop(while:)` after the
// elements that it drops.

extension Publishers.Sequence {
  // MARK: Mapping

  /// Transforms all elements immediately.
  @inlinable
  public func map<NewOutput>(
    _ transform: (Elements.Element) -> NewOutput
  ) -> Publishers.Sequence<[NewOutput], Failure> {
    Publishers.Sequence(sequence: sequence.map(transform))
  }

  /// Transforms all elements immediately, and drops `nil`.
  @inlinable
  public func compactMap<NewOutput>(
    _ transform: (Output) -> NewOutput?
  ) -> Publishers.Sequence<[NewOutput], Failure> {
    Publishers.Sequence(sequence: sequence.compactMap(transform))
  }

  /// Replaces `nil` with `output` in all elements immediately. They remain optionals.
  @inlinable
  public func replaceNil<Wrapped>(with output: Wrapped) -> Publishers.Sequence<[Output], Failure>
  where Elements.Element == Wrapped? {
    Publishers.Sequence(sequence: sequence.map { $0 ?? output })
  }

  /// Combines each element with the previous result immediately.
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

  /// Declares a type of failure for the elements.
  @inlinable
  public func setFailureType<NewFailure: Error>(
    to error: NewFailure.Type
  ) -> Publishers.Sequence<Elements, NewFailure> {
    Publishers.Sequence<Elements, NewFailure>(sequence: sequence)
  }

  // MARK: Folding

  /// Sends all elements as an array, which is created immediately.
  @inlinable
  public func collect() -> Result<[Output], Failure>.Publisher { Result.Publisher(.success(Array(sequence))) }

  /// Combines all elements into one result immediately.
  @inlinable
  public func reduce<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: @escaping (Accumulated, Output) -> Accumulated
  ) -> Result<Accumulated, Failure>.Publisher {
    Result.Publisher(.success(sequence.reduce(initialResult, nextPartialResult)))
  }

  /// Combines all elements into one result immediately. Fails if the closure throws.
  @inlinable
  public func tryReduce<Accumulated>(
    _ initialResult: Accumulated, _ nextPartialResult: @escaping (Accumulated, Output) throws -> Accumulated
  ) -> Result<Accumulated, any Error>.Publisher {
    Result { try sequence.reduce(initialResult, nextPartialResult) }.publisher
  }

  /// Finishes immediately, without reading the elements.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

  /// Sends whether all elements satisfy the predicate, which is called immediately.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    Result.Publisher(.success(sequence.allSatisfy(predicate)))
  }

  /// Sends whether all elements satisfy the predicate, which is called immediately. Fails if it throws.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try sequence.allSatisfy(predicate) }.publisher
  }

  /// Sends whether an element satisfies the predicate, which is called immediately.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    Result.Publisher(.success(sequence.contains(where: predicate)))
  }

  /// Sends whether an element satisfies the predicate, which is called immediately. Fails if it throws.
  @inlinable
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try sequence.contains(where: predicate) }.publisher
  }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  /// Sends whether an element equals `output`. The elements are searched immediately.
  @inlinable
  public func contains(_ output: Elements.Element) -> Result<Bool, Failure>.Publisher {
    Result.Publisher(.success(sequence.contains(output)))
  }
}

extension Publishers.Sequence where Failure == Never {
  /// Sends the minimum by an order, which is found immediately. Of equal elements, the first.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(sequence.min(by: areInIncreasingOrder))
  }

  /// Sends the maximum by an order, which is found immediately. Of equal elements, the first.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    Optional.Publisher(sequence.max(by: areInIncreasingOrder))
  }
}

extension Publishers.Sequence where Failure == Never, Elements.Element: Comparable {
  /// Sends the minimum, which is found immediately. Of equal elements, the first.
  @inlinable
  public func min() -> Optional<Output>.Publisher { Optional.Publisher(sequence.min()) }

  /// Sends the maximum, which is found immediately. Of equal elements, the first.
  @inlinable
  public func max() -> Optional<Output>.Publisher { Optional.Publisher(sequence.max()) }
}

// `count` is declared three times, so each kind of collection has one that is the best match.

extension Publishers.Sequence where Elements: Collection {
  /// Sends the number of elements, which are counted immediately.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher { Result.Publisher(.success(sequence.count)) }
}

extension Publishers.Sequence where Elements: RandomAccessCollection {
  /// Sends the number of elements, for collections with constant-time access.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher { Result.Publisher(.success(sequence.count)) }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
  /// Sends the number of elements, for collections with constant-time access, in a stream that never fails.
  @inlinable
  public func count() -> Just<Int> { Just(sequence.count) }
}
