/// A publisher without values. It finishes at once, or never.
public struct Empty<Output, Failure: Error>: Publisher, Equatable {
  /// Whether the stream finishes at once. If not, it stays open for ever.
  public let completeImmediately: Bool

  /// A publisher that finishes at once, or never.
  @inlinable
  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

  /// The same, with the types spelled as arguments.
  @inlinable
  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.init(completeImmediately: completeImmediately)
  }

  @inlinable @_transparent
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    if completeImmediately {
      Farewell.say(.finished, to: subscriber)
    } else {
      subscriber.receive(subscription: Subscriptions.empty)
    }
  }
}

extension Empty: Sendable {}
