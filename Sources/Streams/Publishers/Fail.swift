/// A publisher that fails immediately, without waiting for demand.
public struct Fail<Output, Failure: Error>: Publisher {
  /// The failure.
  public let error: Failure

  /// Creates a publisher that fails with `error`.
  @inlinable
  public init(error: Failure) { self.error = error }

  /// Creates a publisher that fails with `failure`, with the type of values passed as an argument.
  @inlinable
  public init(outputType: Output.Type, failure: Failure) { self.init(error: failure) }

  @inlinable @_transparent
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    ImmediateCompletion.send(.failure(error), to: subscriber)
  }
}

extension Fail: Equatable where Failure: Equatable {}
extension Fail: Sendable {}
