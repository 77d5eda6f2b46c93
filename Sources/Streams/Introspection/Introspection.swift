/// A set of hooks that are called for every signal between publishers and subscribers.
///
/// Each hook is called on the thread of the signal: `will` before it and `did` after it. Every connection of a chain is
/// observed, including a publisher's own subscriptions to its upstreams. Only subscriptions that begin while an
/// introspection is enabled are observed. Values that other subscriptions drop are reported, too.
///
/// An `append`, `prepend` or `catch` inside another one, behind an `AnyPublisher`, receives no subscription: its upstreams are
/// attached to the outer one, so that the stack does not deepen.
///
/// ```swift
/// final class Tracer: _Introspection {
///   func willReceive<S: Subscriber>(subscriber: S, input: S.Input) { print("\(subscriber) gets \(input)") }
/// }
///
/// let tracer = Tracer()
/// tracer.enable()
/// ```
///
/// While no introspection is enabled, the cost is one check of a flag for each subscription and each dropped value. While
/// one is enabled, every new stream is slower.
///
/// Hooks can be called from any thread, concurrently. A hook that subscribes is observed, too.
public protocol _Introspection: AnyObject {
  /// `subscriber` is about to be attached to `publisher`.
  func willReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input

  /// `subscriber` was attached to `publisher`.
  func didReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input

  /// `subscription` is about to be delivered to `subscriber`.
  func willReceive<S: Subscriber>(subscriber: S, subscription: any Subscription)

  /// `subscription` was delivered to `subscriber`.
  func didReceive<S: Subscriber>(subscriber: S, subscription: any Subscription)

  /// `input` is about to be delivered to `subscriber`.
  func willReceive<S: Subscriber>(subscriber: S, input: S.Input)

  /// `input` was delivered to `subscriber`, which requested `resultingDemand` more values.
  func didReceive<S: Subscriber>(subscriber: S, input: S.Input, resultingDemand: Subscribers.Demand)

  /// The completion is about to be delivered to `subscriber`.
  func willReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>)

  /// The completion was delivered to `subscriber`.
  func didReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>)

  /// `demand` values are about to be requested from `subscription`.
  func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand)

  /// `demand` values were requested from `subscription`.
  func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand)

  /// `subscription` is about to be cancelled.
  func willCancel(subscription: any Subscription)

  /// `subscription` was cancelled.
  func didCancel(subscription: any Subscription)

  /// `value` was dropped, for example because it was not requested.
  ///
  /// `dropper` is the subscription that the value did not pass, the source that has no subscriber, or the buffer of an
  /// asynchronous iteration. `reason` is a text such as `no demand`. Combine does not have this hook.
  func didDrop<Value>(_ value: Value, by dropper: AnyObject, because reason: String)
}

extension _Introspection {
  /// Starts calling the hooks, and keeps this object alive. Enabling it again has no effect.
  public func enable() { Introspections.enable(self) }

  /// Stops calling the hooks, and releases this object. A hook that is running on another thread completes.
  public func disable() { Introspections.disable(self) }

  /// Whether the hooks are called.
  public var isEnabled: Bool { Introspections.contains(self) }
}

// MARK: Hooks that are left out do nothing

extension _Introspection {
  public func willReceive<P: Publisher, S: Subscriber>(publisher _: P, subscriber _: S)
  where P.Failure == S.Failure, P.Output == S.Input {}

  public func didReceive<P: Publisher, S: Subscriber>(publisher _: P, subscriber _: S)
  where P.Failure == S.Failure, P.Output == S.Input {}

  public func willReceive<S: Subscriber>(subscriber _: S, subscription _: any Subscription) {}

  public func didReceive<S: Subscriber>(subscriber _: S, subscription _: any Subscription) {}

  public func willReceive<S: Subscriber>(subscriber _: S, input _: S.Input) {}

  public func didReceive<S: Subscriber>(
    subscriber _: S, input _: S.Input, resultingDemand _: Subscribers.Demand
  ) {}

  public func willReceive<S: Subscriber>(subscriber _: S, completion _: Subscribers.Completion<S.Failure>) {}

  public func didReceive<S: Subscriber>(subscriber _: S, completion _: Subscribers.Completion<S.Failure>) {}

  public func willRequest(subscription _: any Subscription, _: Subscribers.Demand) {}

  public func didRequest(subscription _: any Subscription, _: Subscribers.Demand) {}

  public func willCancel(subscription _: any Subscription) {}

  public func didCancel(subscription _: any Subscription) {}

  public func didDrop<Value>(_: Value, by _: AnyObject, because _: String) {}
}
