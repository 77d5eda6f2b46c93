// All are disfavoured. Otherwise a closure that declares its error would choose them only where Combine has one generic
// form: a method without type parameters, such as `tryFilter`, and one of a concrete publisher, such as that of `Just`,
// precede them anyway. And a closure that throws nothing would change the failure to `Never`.

extension MorePublishers {
  /// A `try` operator whose closure throws one type of error, which is the failure of the stream.
  ///
  /// ```swift
  /// let numbers: AnyPublisher<Int, ParsingError> = texts.tryMap { text throws(ParsingError) in
  ///   guard let number = Int(text) else { throw ParsingError() }
  ///   return number
  /// }.eraseToAnyPublisher()
  /// ```
  ///
  /// The operators of Combine fail with `any Error`, and the compiler chooses them wherever they fit, also for a closure
  /// that declares `throws(ParsingError)`. It chooses these if that failure does not fit: declare the type of the
  /// publisher.
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
      upstream.attach(MapErrorSubscriber({ Self.narrow($0) }, subscriber))
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
  /// Transforms each value with a closure that throws this publisher's type of failure.
  @_disfavoredOverload
  @inlinable
  public func tryMap<Result>(
    _ transform: @escaping (Output) throws(Failure) -> Result
  ) -> MorePublishers.Throwing<Publishers.TryMap<Self, Result>, Failure> {
    MorePublishers.Throwing(upstream: tryMap(transform))
  }

  /// Transforms each value and drops `nil`, with a closure that throws this publisher's type of failure.
  @_disfavoredOverload
  @inlinable
  public func tryCompactMap<Result>(
    _ transform: @escaping (Output) throws(Failure) -> Result?
  ) -> MorePublishers.Throwing<Publishers.TryCompactMap<Self, Result>, Failure> {
    MorePublishers.Throwing(upstream: tryCompactMap(transform))
  }

  /// Sends the values that satisfy a predicate that throws this publisher's type of failure.
  @_disfavoredOverload
  @inlinable
  public func tryFilter(
    _ isIncluded: @escaping (Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryFilter<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryFilter(isIncluded))
  }

  /// Combines each value with the previous result, using a closure that throws this publisher's type of failure.
  @_disfavoredOverload
  @inlinable
  public func tryScan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws(Failure) -> Result
  ) -> MorePublishers.Throwing<Publishers.TryScan<Self, Result>, Failure> {
    MorePublishers.Throwing(upstream: tryScan(initialResult, nextPartialResult))
  }

  /// Combines all values into one result, using a closure that throws this publisher's type of failure.
  @_disfavoredOverload
  @inlinable
  public func tryReduce<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws(Failure) -> Result
  ) -> MorePublishers.Throwing<Publishers.TryReduce<Self, Result>, Failure> {
    MorePublishers.Throwing(upstream: tryReduce(initialResult, nextPartialResult))
  }

  /// Sends whether a value satisfies a predicate that throws this publisher's type of failure.
  @_disfavoredOverload
  @inlinable
  public func tryContains(
    where predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryContainsWhere<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryContains(where: predicate))
  }

  /// Sends whether all values satisfy a predicate that throws this publisher's type of failure.
  @_disfavoredOverload
  @inlinable
  public func tryAllSatisfy(
    _ predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryAllSatisfy<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryAllSatisfy(predicate))
  }

  /// Sends the first value that satisfies a predicate that throws this publisher's type of failure.
  @_disfavoredOverload
  @inlinable
  public func tryFirst(
    where predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryFirstWhere<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryFirst(where: predicate))
  }

  /// Sends the last value that satisfies a predicate that throws this publisher's type of failure.
  @_disfavoredOverload
  @inlinable
  public func tryLast(
    where predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryLastWhere<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryLast(where: predicate))
  }

  /// Sends the minimum by an order that throws this publisher's type of failure.
  @_disfavoredOverload
  @inlinable
  public func tryMin(
    by areInIncreasingOrder: @escaping (Output, Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryComparison<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryMin(by: areInIncreasingOrder))
  }

  /// Sends the maximum by an order that throws this publisher's type of failure.
  @_disfavoredOverload
  @inlinable
  public func tryMax(
    by areInIncreasingOrder: @escaping (Output, Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryComparison<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryMax(by: areInIncreasingOrder))
  }

  /// Drops consecutive duplicates, with a comparison that throws this publisher's type of failure.
  @_disfavoredOverload
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryRemoveDuplicates<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryRemoveDuplicates(by: predicate))
  }

  /// Drops values while they satisfy a predicate that throws this publisher's type of failure.
  @_disfavoredOverload
  @inlinable
  public func tryDrop(
    while predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryDropWhile<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryDrop(while: predicate))
  }

  /// Sends values while they satisfy a predicate that throws this publisher's type of failure.
  @_disfavoredOverload
  @inlinable
  public func tryPrefix(
    while predicate: @escaping (Output) throws(Failure) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryPrefixWhile<Self>, Failure> {
    MorePublishers.Throwing(upstream: tryPrefix(while: predicate))
  }

  /// Replaces a failure with the values of another publisher, or with an error of that publisher's type of failure.
  ///
  /// ![Marble diagram of catch](catch.svg)
  @_disfavoredOverload
  @inlinable
  public func tryCatch<NewPublisher: Publisher>(
    _ handler: @escaping (Failure) throws(NewPublisher.Failure) -> NewPublisher
  ) -> MorePublishers.Throwing<Publishers.TryCatch<Self, NewPublisher>, NewPublisher.Failure>
  where NewPublisher.Output == Output {
    MorePublishers.Throwing(upstream: tryCatch(handler))
  }

  /// Replaces a failure with the values of a publisher that never fails, or with an error of one type.
  ///
  /// ![Marble diagram of catch](catch.svg)
  @_disfavoredOverload
  @inlinable
  public func tryCatch<NewPublisher: Publisher, Thrown: Error>(
    _ handler: @escaping (Failure) throws(Thrown) -> NewPublisher
  ) -> MorePublishers.Throwing<Publishers.TryCatch<Self, NewPublisher>, Thrown>
  where NewPublisher.Output == Output, NewPublisher.Failure == Never {
    MorePublishers.Throwing(upstream: tryCatch(handler))
  }
}
