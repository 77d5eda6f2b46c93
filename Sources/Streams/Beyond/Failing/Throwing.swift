extension MorePublishers {
  /// A `try` operator whose closure throws one type of error, which is then the stream's failure.
  ///
  /// ```swift
  /// let numbers: AnyPublisher<Int, ParsingError> = texts.tryMap { text throws(ParsingError) in
  ///   guard let number = Int(text) else { throw ParsingError() }
  ///   return number
  /// }.eraseToAnyPublisher()
  /// ```
  ///
  /// Combine's operators fail with `any Error`, and they are chosen wherever they fit. These are chosen when that
  /// failure does not fit, as where the type of the publisher is written down.
  public struct Throwing<Upstream: Publisher, Failure: Error>: Publisher where Upstream.Failure == any Error {
    public typealias Output = Upstream.Output

    /// The operator that fails with any error.
    public let upstream: Upstream

    /// `upstream` fails with nothing but `Failure`: its closure throws that, and so does what it is applied to.
    @inlinable
    init(upstream: Upstream) { self.upstream = upstream }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(MapErrorPass({ Self.narrow($0) }, subscriber))
    }

    @usableFromInline
    static func narrow(_ error: any Error) -> Failure {
      guard let failure = error as? Failure else { Violation.impossible() }
      return failure
    }
  }
}

// MARK: What throws the failure of its upstream

extension Publisher {
  /// Sends each value through `transform`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryMap<Result>(
    _ transform: @escaping (Output) throws(Failure) -> Result
  ) -> MorePublishers.Throwing<Publishers.TryMap<Self, Result>, Failure> {
    MorePublishers.Throwing(upstream: tryMap(transform))
  }

  /// Sends what `transform` makes of each value, unless it is `nil`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryCompactMap<Result>(
    _ transform: @escaping (Output) throws(Failure) -> Result?
  ) -> MorePublishers.Throwing<Publishers.TryCompactMap<Self, Result>, Failure> {
    MorePublishers.Throwing(upstream: tryCompactMap(transform))
  }

  /// Sends the values that satisfy `isIncluded`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryFilter(
    _ isIncluded: @escaping (Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryFilter<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryFilter(isIncluded))
  }

  /// Sends what each value makes of the result before; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryScan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws(Failure) -> Result
  ) -> MorePublishers.Throwing<Publishers.TryScan<Self, Result>, Failure> {
    MorePublishers.Throwing(upstream: tryScan(initialResult, nextPartialResult))
  }

  /// Sends what all values make of the first result, at the end; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryReduce<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws(Failure) -> Result
  ) -> MorePublishers.Throwing<Publishers.TryReduce<Self, Result>, Failure> {
    MorePublishers.Throwing(upstream: tryReduce(initialResult, nextPartialResult))
  }

  /// Sends whether a value satisfies `predicate`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryContains(
    where predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryContainsWhere<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryContains(where: predicate))
  }

  /// Sends whether all values satisfy `predicate`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryAllSatisfy(
    _ predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryAllSatisfy<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryAllSatisfy(predicate))
  }

  /// Sends the first value that satisfies `predicate`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryFirst(
    where predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryFirstWhere<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryFirst(where: predicate))
  }

  /// Sends the last value that satisfies `predicate`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryLast(
    where predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryLastWhere<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryLast(where: predicate))
  }

  /// Sends the least value by an order, at the end; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryMin(
    by areInIncreasingOrder: @escaping (Output, Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryComparison<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryMin(by: areInIncreasingOrder))
  }

  /// Sends the greatest value by an order, at the end; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryMax(
    by areInIncreasingOrder: @escaping (Output, Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryComparison<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryMax(by: areInIncreasingOrder))
  }

  /// Leaves out values that `predicate` calls the same as the one before; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryRemoveDuplicates<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryRemoveDuplicates(by: predicate))
  }

  /// Leaves out values until one fails `predicate`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryDrop(
    while predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryDropWhile<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryDrop(while: predicate))
  }

  /// Passes values on until one fails `predicate`, then finishes; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryPrefix(
    while predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryPrefixWhile<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryPrefix(while: predicate))
  }

  /// Replaces a failure by what another publisher sends, or by what `handler` throws, which is of the same type as
  /// that publisher's failure.
  @_disfavoredOverload
  @inlinable
  public func tryCatch<NewPublisher: Publisher>(
    _ handler: @escaping (Failure) throws(NewPublisher.Failure) -> NewPublisher
  ) -> MorePublishers.Throwing<Publishers.TryCatch<Self, NewPublisher>, NewPublisher.Failure>
  where NewPublisher.Output == Output {
    MorePublishers.Throwing(upstream: tryCatch(handler))
  }

  /// Replaces a failure by what a publisher that cannot fail sends, or by what `handler` throws.
  @_disfavoredOverload
  @inlinable
  public func tryCatch<NewPublisher: Publisher, Thrown: Error>(
    _ handler: @escaping (Failure) throws(Thrown) -> NewPublisher
  ) -> MorePublishers.Throwing<Publishers.TryCatch<Self, NewPublisher>, Thrown>
  where NewPublisher.Output == Output, NewPublisher.Failure == Never {
    MorePublishers.Throwing(upstream: tryCatch(handler))
  }
}
