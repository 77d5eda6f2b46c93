extension Publisher {
  /// Subscribes again, up to `retries` times, when this publisher fails; passes the last failure on.
  ///
  /// What failed attempts have sent is not taken back. Demand that an attempt has not met is asked of the next.
  ///
  /// - Parameter retries: How many attempts there are after the first; endless if negative.
  @inlinable
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/retry(_:)``.
  public struct Retry<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is subscribed to again.
    public let upstream: Upstream
    /// How many attempts there are after the first; `nil` for ever.
    public let retries: Int?

    /// The same as `upstream.retry(retries)`.
    @inlinable
    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Retrial(upstream, retries: retries, to: subscriber).attempt()
    }
  }
}

extension Publishers.Retry: Equatable where Upstream: Equatable {}
extension Publishers.Retry: Sendable where Upstream: Sendable {}
