/// A publisher into which values can be sent from outside.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends `value` to the subscribers.
  func send(_ value: Output)

  /// Ends the stream. Later values and completions are ignored.
  func send(completion: Subscribers.Completion<Failure>)

  /// Gives the subject an upstream subscription to draw values from.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Signals the subscribers.
  @inlinable
  public func send() { send(()) }
}

extension Publisher {
  /// Feeds `subject` with everything this publisher sends.
  ///
  /// The subject decides about demand. Cancelling the result stops the feed, not the subject.
  public func subscribe<Target: Subject>(_ subject: Target) -> AnyCancellable
  where Target.Output == Output, Target.Failure == Failure {
    let feed = SubjectSubscriber(subject)
    subscribe(feed)
    return AnyCancellable(feed)
  }
}
