/// A publisher that sends the values you pass to its `send(_:)` method.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends `value` to the subscribers.
  func send(_ value: Output)

  /// Ends the stream. Later values and completions are ignored.
  func send(completion: Subscribers.Completion<Failure>)

  /// Provides the subject with an upstream subscription.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends `()` to the subscribers.
  @inlinable
  public func send() { send(()) }
}
