/// A subject that sends each value to its current subscribers.
///
/// ```swift
/// let taps = PassthroughSubject<String, Never>()
/// taps.send("lost")
/// let cancellable = taps.sink { print($0) }
/// taps.send("seen")  // Prints seen
/// ```
///
/// Subscribers are served in the order of their subscriptions. A value without a subscriber, or without demand, is
/// dropped.
///
/// Thread-safe. A value that you send during a delivery on the same thread is delivered at once, nested in it. A value
/// that you send during a delivery on another thread is delivered after that, mostly by that thread, and `send` can return
/// earlier. While such a value is waiting, values sent during the delivery wait behind it. `trySend` of StreamsExtras does
/// not send a value that would wait.
///
/// Subscribing, requesting and cancelling never wait for a delivery, and never deliver to other subscribers. A value that others send
/// while a subscriber is being attached reaches it on the thread that attaches it.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  @usableFromInline package let subscribers: SubscriberList<Output, Failure>

  /// Creates a subject without subscribers.
  @inlinable
  public init() {
    subscribers = SubscriberList("PassthroughSubject")
  }

  deinit {
    subscribers.abandon()
    subscribers.cancelFeeds()
  }

  /// Sends `value` to every subscriber with demand.
  @inlinable @inline(__always)
  public func send(_ value: Output) {
    if subscribers.hasListeners {
      subscribers.send(value)
    } else {
      Drops.note(value, by: subscribers, because: .noSubscriber)
    }
  }

  public func send(completion: Subscribers.Completion<Failure>) { subscribers.send(completion: completion) }

  /// Keeps `subscription`, and requests everything from it once a subscriber has requested a value.
  public func send(subscription: any Subscription) { subscribers.addFeed(subscription) }

  @inlinable @inline(__always)
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    subscribers.add(subscriber)
  }
}

extension PassthroughSubject: Fed {}
extension PassthroughSubject: Sendable where Output: Sendable {}  // all state is the list's
