extension Publisher {
  /// Transforms the failure with a closure.
  ///
  /// Stateless: values, demand, cancellation and a normal completion pass unchanged.
  @inlinable
  public func mapError<NewFailure: Error>(
    _ transform: @escaping (Failure) -> NewFailure
  ) -> Publishers.MapError<Self, NewFailure> {
    Publishers.MapError(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/mapError(_:)``.
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    public typealias Output = Upstream.Output

    /// The publisher whose failure is transformed.
    public let upstream: Upstream
    /// The closure that transforms the failure.
    public let transform: (Upstream.Failure) -> Failure

    /// Creates the publisher that `upstream.mapError(transform)` returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Creates the publisher that `upstream.mapError(map)` returns. The same as ``init(upstream:transform:)``.
    @inlinable
    public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
      self.init(upstream: upstream, transform: map)
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(MapErrorSubscriber(transform, subscriber))
    }
  }
}

@frozen @usableFromInline
package struct MapErrorSubscriber<Failure: Error, Downstream: Subscriber>: StatelessSubscriber {
  @usableFromInline package typealias Input = Downstream.Input

  @usableFromInline let transform: (Failure) -> Downstream.Failure
  @usableFromInline package let downstream: Downstream

  @inlinable
  package init(_ transform: @escaping (Failure) -> Downstream.Failure, _ downstream: Downstream) {
    self.transform = transform
    self.downstream = downstream
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    downstream.receive(completion: completion.mapError(transform))
  }
}
