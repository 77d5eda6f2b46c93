extension Publisher {
  /// Drops the first `count` values. Traps at the subscription if `count` is negative.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .dropFirst()
  ///   .sink { print($0) }
  /// // Prints 2, 3
  /// ```
  ///
  /// The values to drop are requested immediately, in addition to the demand of the downstream. They are dropped even
  /// if the downstream requests nothing. The downstream receives its subscription before the upstream is subscribed to.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/dropFirst(_:)``.
  public struct Drop<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose first values are dropped.
    public let upstream: Upstream
    /// The number of dropped values.
    public let count: Int

    /// Creates the publisher that `upstream.dropFirst(count)` returns.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      guard count >= 0 else { Violation.negativeCount("the count of dropFirst", count) }
      let skip = SkipSubscription(count, to: subscriber)
      subscriber.receive(subscription: skip)
      upstream.attach(skip)
    }
  }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}
extension Publishers.Drop: Sendable where Upstream: Sendable {}
