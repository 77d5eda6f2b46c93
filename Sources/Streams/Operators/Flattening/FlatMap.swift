extension Publisher {
  /// Transforms each value into a publisher, and merges the values of these publishers.
  ///
  /// ![Marble diagram of flat-map](flat-map.svg)
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher
  ///   .flatMap { [$0, $0 * 10].publisher }
  ///   .sink { print($0) }
  /// // Prints 1, 10, 2, 20
  /// ```
  ///
  /// Until demand is unlimited, one value is requested from each created publisher ahead of it. The stream finishes when
  /// this publisher and all created ones have finished and their values are sent, and fails with the first failure.
  ///
  /// `maxPublishers` limits how many created publishers can be active. No more values are requested from this
  /// publisher until one has finished. A ``PassthroughSubject`` drops the values that it sends meanwhile.
  @inlinable
  public func flatMap<Result, Child: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> Publishers.FlatMap<Child, Self> where Result == Child.Output, Failure == Child.Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  /// Transforms each value into a publisher that never fails, and merges the values of these publishers.
  ///
  /// ![Marble diagram of flat-map](flat-map.svg)
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
  /// Merges the values of the created publishers, for upstreams that never fail.
  ///
  /// ![Marble diagram of flat-map](flat-map.svg)
  @inlinable
  public func flatMap<Child: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> Publishers.FlatMap<Child, Publishers.SetFailureType<Self, Child.Failure>> {
    Publishers.FlatMap(
      upstream: setFailureType(to: Child.Failure.self), maxPublishers: maxPublishers, transform: transform)
  }

  /// Merges the values of the created publishers, if neither they nor the upstream can fail.
  ///
  /// ![Marble diagram of flat-map](flat-map.svg)
  @inlinable
  public func flatMap<Child: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Child
  ) -> Publishers.FlatMap<Child, Self> where Child.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publishers {
  /// The publisher returned by `flatMap(maxPublishers:_:)`.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    public typealias Output = NewPublisher.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are transformed into publishers.
    public let upstream: Upstream
    /// The maximum number of active created publishers.
    public let maxPublishers: Subscribers.Demand
    /// The closure that creates a publisher for a value.
    public let transform: (Upstream.Output) -> NewPublisher

    /// Creates the publisher that `upstream.flatMap(maxPublishers: maxPublishers, transform)` returns.
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
