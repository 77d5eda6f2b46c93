extension Publisher where Failure == Never {
  /// Gives a publisher that cannot fail a failure type, so that it fits where one is expected.
  ///
  /// Has no state: everything passes straight through.
  @inlinable
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Publishers.SetFailureType<Self, NewFailure> {
    Publishers.SetFailureType(upstream: self)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/setFailureType(to:)``.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher
  where Upstream.Failure == Never {
    public typealias Output = Upstream.Output

    /// The publisher that cannot fail.
    public let upstream: Upstream

    /// The same as `upstream.setFailureType(to: Failure.self)`.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Another failure type in place of this one.
    @inlinable
    public func setFailureType<NewFailure: Error>(
      to failureType: NewFailure.Type
    ) -> Publishers.SetFailureType<Upstream, NewFailure> {
      Publishers.SetFailureType<Upstream, NewFailure>(upstream: upstream)
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(SetFailureTypePass(subscriber))
    }
  }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}
extension Publishers.SetFailureType: Sendable where Upstream: Sendable {}

@frozen @usableFromInline
struct SetFailureTypePass<Downstream: Subscriber>: Pass {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Never

  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ downstream: Downstream) { self.downstream = downstream }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable
  func receive(completion: Subscribers.Completion<Never>) { downstream.receive(completion: .finished) }
}
