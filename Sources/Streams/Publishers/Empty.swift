/// A publisher without values, which finishes immediately or never.
public struct Empty<Output, Failure: Error>: Publisher, Equatable {
  /// Whether the stream finishes immediately. Otherwise it never ends.
  public let completeImmediately: Bool

  /// Creates a publisher that finishes immediately, or never.
  @inlinable
  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

  /// Creates a publisher that finishes immediately, or never, with types passed as arguments.
  @inlinable
  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.init(completeImmediately: completeImmediately)
  }

  @inlinable @_transparent
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    if completeImmediately {
      ImmediateCompletion.send(.finished, to: subscriber)
    } else {
      subscriber.receive(subscription: Subscriptions.empty)
    }
  }
}

extension Empty: Sendable {}
