extension Publisher {
  /// Sends the failure through `transform`.
  ///
  /// Has no state: values, demand, cancellation and a normal end pass straight through.
  @inlinable
  public func mapError<NewFailure: Error>(
    _ transform: @escaping (Failure) -> NewFailure
  ) -> Publishers.MapError<Self, NewFailure> {
    Publishers.MapError(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/mapError(_:)``.
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    public typealias Output = Upstream.Output

    /// The publisher whose failure is replaced.
    public let upstream: Upstream
    /// Makes the failure that is sent.
    public let transform: (Upstream.Failure) -> Failure

    /// The same as `upstream.mapError(transform)`.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      self.transform = transform
    }

    /// The same as ``init(upstream:transform:)``.
    @inlinable
    public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
      self.init(upstream: upstream, transform: map)
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.subscribe(MapErrorPass(transform, subscriber))
    }
  }
}

@frozen @usableFromInline
struct MapErrorPass<Failure: Error, Downstream: Subscriber>: Pass {
  @usableFromInline typealias Input = Downstream.Input

  @usableFromInline let transform: (Failure) -> Downstream.Failure
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ transform: @escaping (Failure) -> Downstream.Failure, _ downstream: Downstream) {
    self.transform = transform
    self.downstream = downstream
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    downstream.receive(completion: completion.mapError(transform))
  }
}
