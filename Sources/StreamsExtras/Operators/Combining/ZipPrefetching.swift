extension Publisher {
  /// Combines the values of two publishers pairwise as a tuple, and requests at most `prefetch` values ahead of each.
  ///
  /// ![Marble diagram of zip with prefetch](zip-prefetch.svg)
  ///
  /// Use it if a publisher is much faster than the other and can wait, such as one that reads a file. A subject loses the
  /// values that nobody has requested, such as 3 in the diagram. Otherwise this is `zip(_:)`.
  ///
  /// - Parameters:
  ///   - other: The publisher of the second value of each tuple.
  ///   - prefetch: How many values of a publisher may wait for their counterpart, at least one.
  /// - Complexity: Keeps at most `prefetch` values of each publisher.
  @_disfavoredOverload
  @inlinable
  public func zip<Other: Publisher>(
    _ other: Other, prefetch: Int
  ) -> MorePublishers.ZipPrefetching<Self, Other> where Other.Failure == Failure {
    MorePublishers.ZipPrefetching(self, other, prefetch: prefetch)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/zip(_:prefetch:)``.
  public struct ZipPrefetching<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
    public typealias Output = (A.Output, B.Output)
    public typealias Failure = A.Failure

    /// The publisher of the first value of each tuple.
    public let a: A
    /// The publisher of the second value of each tuple.
    public let b: B
    /// How many values of a publisher may wait for their counterpart.
    public let prefetch: Int

    /// Creates the publisher that `a.zip(b, prefetch: prefetch)` returns.
    @inlinable
    public init(_ a: A, _ b: B, prefetch: Int) {
      self.a = a
      self.b = b
      self.prefetch = Swift.max(1, prefetch)
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Publishers.Zip(a, b).join(prefetch: prefetch, to: subscriber)
    }
  }
}

extension MorePublishers.ZipPrefetching: Equatable where A: Equatable, B: Equatable {}
extension MorePublishers.ZipPrefetching: Sendable where A: Sendable, B: Sendable {}
