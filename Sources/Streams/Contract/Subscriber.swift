/// A type that receives values from a publisher.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The type of the values.
  associatedtype Input

  /// The type of the failure.
  associatedtype Failure: Error

  /// Receives the subscription, once, before anything else (law C01).
  ///
  /// No value is delivered until the subscriber calls `subscription.request(_:)` (law C03).
  func receive(subscription: any Subscription)

  /// Receives one value.
  ///
  /// - Returns: How many more values the subscriber requests. They are added to its earlier requests (law C05).
  func receive(_ input: Input) -> Subscribers.Demand

  /// Receives the completion. This is the last call to a subscriber.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// Receives one empty value.
  @inlinable
  public func receive() -> Subscribers.Demand { receive(()) }
}

/// A namespace for types that belong to subscribers.
public enum Subscribers {}
