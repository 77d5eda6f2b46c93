extension Publisher where Failure == Never {
  /// Declares a type of failure for a publisher that never fails, so that it matches other publishers.
  ///
  /// ```swift
  /// let numbers = [1, 2].publisher.setFailureType(to: URLError.self)
  /// let request = Fail<Int, URLError>(error: URLError(.timedOut))
  /// let cancellable = numbers.append(request)
  ///   .sink(receiveCompletion: { _ in print("failed") }, receiveValue: { print($0) })
  /// // Prints 1, 2, failed
  /// ```
  ///
  /// Stateless: all signals pass unchanged.
  @inlinable
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Publishers.SetFailureType<Self, NewFailure> {
    Publishers.SetFailureType(upstream: self)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/setFailureType(to:)``.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher
  where Upstream.Failure == Never {
    public typealias Output = Upstream.Output

    /// The publisher that never fails.
    public let upstream: Upstream

    /// Creates the publisher that `upstream.setFailureType(to: Failure.self)` returns.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Declares another type of failure, in the same stage.
    @inlinable
    public func setFailureType<NewFailure: Error>(
      to failureType: NewFailure.Type
    ) -> Publishers.SetFailureType<Upstream, NewFailure> {
      Publishers.SetFailureType<Upstream, NewFailure>(upstream: upstream)
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(SetFailureTypeSubscriber(subscriber))
    }
  }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}
extension Publishers.SetFailureType: Sendable where Upstream: Sendable {}

@frozen @usableFromInline
struct SetFailureTypeSubscriber<Downstream: Subscriber>: StatelessSubscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Never

  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ downstream: Downstream) { self.downstream = downstream }

  @inlinable
  func receive(completion: Subscribers.Completion<Never>) { downstream.receive(completion: .finished) }
}
