/// A subject that passes each value on to the subscribers it has at that moment.
///
/// Subscribers are served in the order in which they subscribed. A value sent while there is no subscriber, or to
/// a subscriber that has not asked for one, is dropped.
///
/// Any thread may send. A value sent from inside a delivery on the same thread is delivered at once, nested. A
/// value that meets a delivery on another thread is delivered by that thread; then `send` returns before it is. While
/// such a value waits, those sent from inside the delivery wait behind it.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  @usableFromInline let feeds: Feeds
  @usableFromInline let audience: Audience<Output, Failure>

  /// A subject without subscribers.
  @inlinable
  public init() {
    let feeds = Feeds()
    self.feeds = feeds
    audience = Audience("PassthroughSubject", onRequest: { feeds.open() })
  }

  deinit {
    audience.abandon()
    feeds.cancel()
  }

  /// Sends `value` to every subscriber that has asked for one.
  @inlinable @inline(__always)
  public func send(_ value: Output) {
    if audience.hasListeners { audience.send(value) }
  }

  public func send(completion: Subscribers.Completion<Failure>) { audience.send(completion: completion) }

  /// Keeps `subscription`, and asks it for everything once a subscriber has asked for something.
  public func send(subscription: any Subscription) { feeds.add(subscription) }

  @inlinable @inline(__always)
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    audience.admit(subscriber)
  }
}

extension PassthroughSubject: Sendable where Output: Sendable {}  // all state is the audience's and the feeds'
