/// Something that is told of every signal between publishers and subscribers, to look into streams that run.
///
/// Each hook is called around the real signal, on the same thread: `will` before it, `did` after it. A chain is seen
/// at each of its joints, a publisher's own subscriptions to its upstreams included. Only what is subscribed to while
/// an introspection is enabled can be seen, by whichever is enabled when a signal passes.
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
/// As long as none is enabled, introspection costs one look at a flag for each subscription, and nothing for a value.
/// While one is, every stream that begins is many times slower.
///
/// Hooks may be called from any thread, several at once. A hook that subscribes is told of that, too.
public protocol _Introspection: AnyObject {
  /// `subscriber` is about to be attached to `publisher`.
  func willReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input

  /// `subscriber` was attached to `publisher`.
  func didReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input

  /// `subscription` is about to be handed to `subscriber`.
  func willReceive<S: Subscriber>(subscriber: S, subscription: any Subscription)

  /// `subscriber` has taken `subscription`.
  func didReceive<S: Subscriber>(subscriber: S, subscription: any Subscription)

  /// `input` is about to be delivered to `subscriber`.
  func willReceive<S: Subscriber>(subscriber: S, input: S.Input)

  /// `subscriber` has taken `input`, and asked for `resultingDemand` more.
  func didReceive<S: Subscriber>(subscriber: S, input: S.Input, resultingDemand: Subscribers.Demand)

  /// `subscriber` is about to hear of the end.
  func willReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>)

  /// `subscriber` has heard of the end.
  func didReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>)

  /// `subscription` is about to be asked for `demand` values.
  func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand)

  /// `subscription` was asked for `demand` values.
  func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand)

  /// `subscription` is about to be cancelled.
  func willCancel(subscription: any Subscription)

  /// `subscription` was cancelled.
  func didCancel(subscription: any Subscription)
}

extension _Introspection {
  /// Has this told of what happens from now on, and keeps it alive. Enabling it again changes nothing.
  public func enable() { Introspections.enable(self) }

  /// Has this told of nothing any more, and lets go of it. A hook that is running on another thread still ends.
  public func disable() { Introspections.disable(self) }

  /// Whether this is told of what happens.
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
}
