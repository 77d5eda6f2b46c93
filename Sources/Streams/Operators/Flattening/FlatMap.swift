extension Publisher {
  /// Sends each value through `transform`, and passes on what the publishers so made send, as it comes.
  ///
  /// Each publisher is asked for one value ahead of demand. The stream finishes when this publisher and all that
  /// were made have finished, and fails with the first failure.
  ///
  /// ```swift
  /// [1, 2].publisher.flatMap { [$0, $0 * 10].publisher }.sink { print($0) }  // 1 10 2 20
  /// ```
  ///
  /// `maxPublishers` says how many may be open at once. Upstream is asked for no more than that; what an upstream that
  /// ignores demand, as a subject does, sends beyond it is lost.
  @inlinable
  public func flatMap<Result, Child: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> Publishers.FlatMap<Child, Self> where Result == Child.Output, Failure == Child.Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  /// The same for publishers that cannot fail.
  @inlinable
  public func flatMap<Child: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> Publishers.FlatMap<Publishers.SetFailureType<Child, Failure>, Self> where Child.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers) {
      transform($0).setFailureType(to: Failure.self)
    }
  }
}

extension Publisher where Failure == Never {
  /// The same for an upstream that cannot fail.
  @inlinable
  public func flatMap<Child: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> Publishers.FlatMap<Child, Publishers.SetFailureType<Self, Child.Failure>> {
    Publishers.FlatMap(
      upstream: setFailureType(to: Child.Failure.self), maxPublishers: maxPublishers, transform: transform)
  }

  /// The same where nothing can fail.
  @inlinable
  public func flatMap<Child: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> Publishers.FlatMap<Child, Self> where Child.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publishers {
  /// The publisher of `flatMap(maxPublishers:_:)`.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    public typealias Output = NewPublisher.Output
    public typealias Failure = Upstream.Failure

    /// The publisher each of whose values becomes a publisher.
    public let upstream: Upstream
    /// How many of these may be open at once.
    public let maxPublishers: Subscribers.Demand
    /// Makes the publisher of a value.
    public let transform: (Upstream.Output) -> NewPublisher

    /// The same as `upstream.flatMap(maxPublishers: maxPublishers, transform)`.
    @inlinable
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let flatten = Flatten(
        "FlatMap", zeroDemand: .traps, maxPublishers: maxPublishers, to: subscriber, transform: transform)
      subscriber.receive(subscription: flatten)
      upstream.attach(flatten)
    }
  }
}
