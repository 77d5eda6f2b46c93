extension Publisher {
  /// Leaves out the first `count` values. Traps if `count` is negative.
  ///
  /// The values to leave out are requested at once, in addition to what the subscriber requests: they are dropped even
  /// if it requests nothing. The subscriber receives its subscription before this subscribes to its upstream.
  ///
  /// ```swift
  /// [1, 2, 3].publisher.dropFirst().sink { print($0) }  // 2 3
  /// ```
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/dropFirst(_:)``.
  public struct Drop<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose first values are left out.
    public let upstream: Upstream
    /// How many are left out.
    public let count: Int

    /// The same as `upstream.dropFirst(count)`.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      guard count >= 0 else { Violation.negativeCount("the count of dropFirst", count) }
      let skip = Skip(count, to: subscriber)
      subscriber.receive(subscription: skip)
      upstream.attach(skip)
    }
  }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}
extension Publishers.Drop: Sendable where Upstream: Sendable {}
