/// A type-erased subscriber.
///
/// A value passes through the erasure with one closure call.
@frozen
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
  @usableFromInline let calls: SubscriberCalls<Input, Failure>

  /// The identifier of the wrapped subscriber, or one of its own if it was created from closures.
  public var combineIdentifier: CombineIdentifier {
    (calls.wrapped as? any CustomCombineIdentifierConvertible)?.combineIdentifier ?? CombineIdentifier(calls)
  }

  @inlinable var wrapped: Any { calls.wrapped }

  /// Wraps `subscriber`. An `AnySubscriber` is not wrapped again.
  @inlinable @inline(__always)
  public init<Wrapped: Subscriber>(_ subscriber: Wrapped)
  where Wrapped.Input == Input, Wrapped.Failure == Failure {
    if let erased = subscriber as? AnySubscriber<Input, Failure> {
      self = erased
      return
    }
    calls = SubscriberCalls(
      onSubscription: { subscriber.receive(subscription: $0) }, onValue: { subscriber.receive($0) },
      onCompletion: { subscriber.receive(completion: $0) }, wrapped: subscriber)
  }

  /// Creates a subscriber from closures.
  ///
  /// Without `receiveSubscription`, no values are requested. Without `receiveValue`, no further values are requested.
  public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveValue: ((Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    calls = SubscriberCalls(
      onSubscription: receiveSubscription ?? { _ in }, onValue: receiveValue ?? { _ in .none },
      onCompletion: receiveCompletion ?? { _ in }, wrapped: "Anonymous AnySubscriber")
  }

  @inlinable
  public func receive(subscription: any Subscription) { calls.onSubscription(subscription) }

  @inlinable
  public func receive(_ input: Input) -> Subscribers.Demand { calls.onValue(input) }

  @inlinable
  public func receive(completion: Subscribers.Completion<Failure>) { calls.onCompletion(completion) }
}

/// The closures of an ``AnySubscriber``: one object, so that copying the subscriber is one retain.
@usableFromInline
final class SubscriberCalls<Input, Failure: Error> {
  @usableFromInline let onSubscription: (any Subscription) -> Void
  @usableFromInline let onValue: (Input) -> Subscribers.Demand
  @usableFromInline let onCompletion: (Subscribers.Completion<Failure>) -> Void
  @usableFromInline let wrapped: Any

  @inlinable
  init(
    onSubscription: @escaping (any Subscription) -> Void,
    onValue: @escaping (Input) -> Subscribers.Demand,
    onCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    wrapped: Any
  ) {
    self.onSubscription = onSubscription
    self.onValue = onValue
    self.onCompletion = onCompletion
    self.wrapped = wrapped
  }
}

extension AnySubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  public var description: String { String(describing: wrapped) }
  public var customMirror: Mirror { Mirror(reflecting: wrapped) }
  public var playgroundDescription: Any { description }
}
