extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Listens to the latest of the publishers that this one sends, and to no other.
  ///
  /// A new publisher cancels the one before. The stream finishes when this publisher and the latest have finished,
  /// and fails with the first failure of either.
  ///
  /// ```swift
  /// let searches = PassthroughSubject<Just<String>, Never>()
  /// let sink = searches.switchToLatest().sink { print($0) }
  /// searches.send(Just("a"))  // a
  /// ```
  @inlinable
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Failure == Never, Output: Publisher {
  /// The same for an upstream that cannot fail.
  @inlinable
  public func switchToLatest()
    -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
  {
    Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
  /// The same where nothing can fail.
  @inlinable
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// The same for publishers that cannot fail.
  @inlinable
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>,
      Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    >
  {
    Publishers.SwitchToLatest(upstream: map { $0.setFailureType(to: Failure.self) })
  }
}

extension Publishers {
  /// The publisher of `switchToLatest()`.
  public struct SwitchToLatest<Child: Publisher, Upstream: Publisher>: Publisher
  where Child == Upstream.Output, Child.Failure == Upstream.Failure {
    public typealias Output = Child.Output
    public typealias Failure = Child.Failure

    /// The publisher of publishers.
    public let upstream: Upstream

    /// The same as `upstream.switchToLatest()`.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let latest = Switch<Child, Downstream>(to: subscriber)
      subscriber.receive(subscription: latest)
      upstream.subscribe(latest)
    }
  }
}

extension Publishers.SwitchToLatest: Sendable where Upstream: Sendable {}
