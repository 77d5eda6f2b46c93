/// A publisher that fails at once, without waiting for demand.
public struct Fail<Output, Failure: Error>: Publisher {
  /// The failure.
  public let error: Failure

  /// A publisher that fails with `error`.
  @inlinable
  public init(error: Failure) { self.error = error }

  /// The same, with the output type spelled as an argument.
  @inlinable
  public init(outputType: Output.Type, failure: Failure) { self.init(error: failure) }

  @inlinable @_transparent
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    Farewell.say(.failure(error), to: subscriber)
  }
}

extension Fail: Equatable where Failure: Equatable {}
extension Fail: Sendable {}
