// The same for upstreams that cannot fail.

extension Publisher where Failure == Never {
  /// Transforms each value of a publisher that never fails, with a closure that throws one type of error.
  @_disfavoredOverload
  @inlinable
  public func tryMap<Result, Thrown: Error>(
    _ transform: @escaping (Output) throws(Thrown) -> Result
  ) -> MorePublishers.Throwing<Publishers.TryMap<Self, Result>, Thrown> {
    MorePublishers.Throwing(upstream: tryMap(transform))
  }

  /// Transforms each value and drops `nil`, for publishers that never fail. The closure throws one type of error.
  @_disfavoredOverload
  @inlinable
  public func tryCompactMap<Result, Thrown: Error>(
    _ transform: @escaping (Output) throws(Thrown) -> Result?
  ) -> MorePublishers.Throwing<Publishers.TryCompactMap<Self, Result>, Thrown> {
    MorePublishers.Throwing(upstream: tryCompactMap(transform))
  }

  /// Sends the values that satisfy a predicate, for publishers that never fail. It throws one type of error.
  @_disfavoredOverload
  @inlinable
  public func tryFilter<Thrown: Error>(
    _ isIncluded: @escaping (Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryFilter<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryFilter(isIncluded))
  }

  /// Combines each value with the previous result, for publishers that never fail. The closure throws one type of
  /// error.
  @_disfavoredOverload
  @inlinable
  public func tryScan<Result, Thrown: Error>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws(Thrown) -> Result
  ) -> MorePublishers.Throwing<Publishers.TryScan<Self, Result>, Thrown> {
    MorePublishers.Throwing(upstream: tryScan(initialResult, nextPartialResult))
  }

  /// Combines all values into one result, for publishers that never fail. The closure throws one type of error.
  @_disfavoredOverload
  @inlinable
  public func tryReduce<Result, Thrown: Error>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws(Thrown) -> Result
  ) -> MorePublishers.Throwing<Publishers.TryReduce<Self, Result>, Thrown> {
    MorePublishers.Throwing(upstream: tryReduce(initialResult, nextPartialResult))
  }

  /// Sends whether a value satisfies a predicate, for publishers that never fail. It throws one type of error.
  @_disfavoredOverload
  @inlinable
  public func tryContains<Thrown: Error>(
    where predicate: @escaping (Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryContainsWhere<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryContains(where: predicate))
  }

  /// Sends whether all values satisfy a predicate, for publishers that never fail. It throws one type of error.
  @_disfavoredOverload
  @inlinable
  public func tryAllSatisfy<Thrown: Error>(
    _ predicate: @escaping (Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryAllSatisfy<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryAllSatisfy(predicate))
  }

  /// Sends the first value that satisfies a predicate, for publishers that never fail. It throws one type of error.
  @_disfavoredOverload
  @inlinable
  public func tryFirst<Thrown: Error>(
    where predicate: @escaping (Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryFirstWhere<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryFirst(where: predicate))
  }

  /// Sends the last value that satisfies a predicate, for publishers that never fail. It throws one type of error.
  @_disfavoredOverload
  @inlinable
  public func tryLast<Thrown: Error>(
    where predicate: @escaping (Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryLastWhere<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryLast(where: predicate))
  }

  /// Sends the minimum by an order, for publishers that never fail. The closure throws one type of error.
  @_disfavoredOverload
  @inlinable
  public func tryMin<Thrown: Error>(
    by areInIncreasingOrder: @escaping (Output, Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryComparison<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryMin(by: areInIncreasingOrder))
  }

  /// Sends the maximum by an order, for publishers that never fail. The closure throws one type of error.
  @_disfavoredOverload
  @inlinable
  public func tryMax<Thrown: Error>(
    by areInIncreasingOrder: @escaping (Output, Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryComparison<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryMax(by: areInIncreasingOrder))
  }

  /// Drops consecutive duplicates, for publishers that never fail. The comparison throws one type of error.
  @_disfavoredOverload
  @inlinable
  public func tryRemoveDuplicates<Thrown: Error>(
    by predicate: @escaping (Output, Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryRemoveDuplicates<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryRemoveDuplicates(by: predicate))
  }

  /// Drops values while they satisfy a predicate, for publishers that never fail. It throws one type of error.
  @_disfavoredOverload
  @inlinable
  public func tryDrop<Thrown: Error>(
    while predicate: @escaping (Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryDropWhile<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryDrop(while: predicate))
  }

  /// Sends values while they satisfy a predicate, for publishers that never fail. It throws one type of error.
  @_disfavoredOverload
  @inlinable
  public func tryPrefix<Thrown: Error>(
    while predicate: @escaping (Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryPrefixWhile<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryPrefix(while: predicate))
  }
}
