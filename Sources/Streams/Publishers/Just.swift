/// A publisher of one value.
///
/// The value is sent at the first request, and the stream finishes right after.
public struct Just<Output>: Publisher {
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// A publisher of `output`.
  @inlinable
  public init(_ output: Output) { self.output = output }

  @inlinable @_transparent
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Never {
    subscriber.receive(subscription: Once("Just", output, to: subscriber))
  }
}

extension Just: Equatable where Output: Equatable {}
extension Just: Sendable where Output: Sendable {}
