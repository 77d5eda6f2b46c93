/// A type that can receive values from a publisher.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The kind of values this subscriber receives.
  associatedtype Input

  /// The kind of error this subscriber can be told of.
  associatedtype Failure: Error

  /// Hands over the subscription, once, before anything else (law C01).
  ///
  /// Nothing is delivered until the subscriber asks for it with `subscription.request(_:)` (law C03).
  func receive(subscription: any Subscription)

  /// Takes one value.
  ///
  /// - Returns: How many more values the subscriber wants; this is added to what it asked before (law C05).
  func receive(_ input: Input) -> Subscribers.Demand

  /// Tells that no more values will come. The last call a subscriber receives.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// Takes one empty value.
  @inlinable
  public func receive() -> Subscribers.Demand { receive(()) }
}

/// The namespace of types that serve subscribers.
public enum Subscribers {}
