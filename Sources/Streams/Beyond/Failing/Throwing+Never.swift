// The same for upstreams that cannot fail.

extension Publisher where Failure == Never {
  /// Sends each value through `transform`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryMap<Result, Thrown: Error>(
    _ transform: @escaping (Output) throws(Thrown) -> Result
  ) -> MorePublishers.Throwing<Publishers.TryMap<Self, Result>, Thrown> {
    MorePublishers.Throwing(upstream: tryMap(transform))
  }

  /// Sends what `transform` makes of each value, unless it is `nil`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryCompactMap<Result, Thrown: Error>(
    _ transform: @escaping (Output) throws(Thrown) -> Result?
  ) -> MorePublishers.Throwing<Publishers.TryCompactMap<Self, Result>, Thrown> {
    MorePublishers.Throwing(upstream: tryCompactMap(transform))
  }

  /// Sends the values that satisfy `isIncluded`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryFilter<Thrown: Error>(
    _ isIncluded: @escaping (Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryFilter<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryFilter(isIncluded))
  }

  /// Sends what each value makes of the result before; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryScan<Result, Thrown: Error>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws(Thrown) -> Result
  ) -> MorePublishers.Throwing<Publishers.TryScan<Self, Result>, Thrown> {
    MorePublishers.Throwing(upstream: tryScan(initialResult, nextPartialResult))
  }

  /// Sends what all values make of the first result, at the end; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryReduce<Result, Thrown: Error>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws(Thrown) -> Result
  ) -> MorePublishers.Throwing<Publishers.TryReduce<Self, Result>, Thrown> {
    MorePublishers.Throwing(upstream: tryReduce(initialResult, nextPartialResult))
  }

  /// Sends whether a value satisfies `predicate`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryContains<Thrown: Error>(
    where predicate: @escaping (Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryContainsWhere<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryContains(where: predicate))
  }

  /// Sends whether all values satisfy `predicate`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryAllSatisfy<Thrown: Error>(
    _ predicate: @escaping (Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryAllSatisfy<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryAllSatisfy(predicate))
  }

  /// Sends the first value that satisfies `predicate`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryFirst<Thrown: Error>(
    where predicate: @escaping (Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryFirstWhere<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryFirst(where: predicate))
  }

  /// Sends the last value that satisfies `predicate`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryLast<Thrown: Error>(
    where predicate: @escaping (Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryLastWhere<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryLast(where: predicate))
  }

  /// Sends the least value by an order, at the end; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryMin<Thrown: Error>(
    by areInIncreasingOrder: @escaping (Output, Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryComparison<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryMin(by: areInIncreasingOrder))
  }

  /// Sends the greatest value by an order, at the end; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryMax<Thrown: Error>(
    by areInIncreasingOrder: @escaping (Output, Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryComparison<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryMax(by: areInIncreasingOrder))
  }

  /// Leaves out values that `predicate` calls the same as the one before; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryRemoveDuplicates<Thrown: Error>(
    by predicate: @escaping (Output, Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryRemoveDuplicates<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryRemoveDuplicates(by: predicate))
  }

  /// Leaves out values until one fails `predicate`; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryDrop<Thrown: Error>(
    while predicate: @escaping (Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryDropWhile<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryDrop(while: predicate))
  }

  /// Passes values on until one fails `predicate`, then finishes; fails with what it throws.
  @_disfavoredOverload
  @inlinable
  public func tryPrefix<Thrown: Error>(
    while predicate: @escaping (Output) throws(Thrown) -> Bool
  ) -> MorePublishers.Throwing<Publishers.TryPrefixWhile<Self>, Thrown> {
    MorePublishers.Throwing(upstream: tryPrefix(while: predicate))
  }
}
