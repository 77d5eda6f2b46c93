/// A subject that stores a value, and sends each new one.
///
/// ```swift
/// let count = CurrentValueSubject<Int, Never>(0)
/// let cancellable = count.sink { print($0) }  // Prints 0
/// count.send(1)  // Prints 1
/// count.value += 1  // Prints 2
/// ```
///
/// A new subscriber receives the current value with its first request, on the thread that requests it, whatever other threads
/// send. A subscriber without demand misses values, and receives the newest with its next request. No subscriber receives a value that is older than one it has received.
///
/// Thread-safe. ``PassthroughSubject`` describes concurrent deliveries.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  @usableFromInline package let subscribers: SubscriberList<Output, Failure>

  /// Creates a subject with a value.
  @inlinable
  public init(_ value: Output) {
    subscribers = SubscriberList("CurrentValueSubject", replaying: value)
  }

  deinit {
    subscribers.abandon()
    subscribers.cancelFeeds()
  }

  /// The current value. Setting it sends it.
  ///
  /// In a subscriber's closure, this is the value being delivered or a newer one. It can still be set after the subject
  /// has ended, without being sent.
  @inlinable
  public var value: Output {
    get { subscribers.value }
    set { subscribers.place(newValue, evenWhenOver: true) }
  }

  /// Stores `value` and sends it. Ignored after the subject has ended.
  @inlinable
  public func send(_ value: Output) { subscribers.place(value, evenWhenOver: false) }

  public func send(completion: Subscribers.Completion<Failure>) { subscribers.send(completion: completion) }

  /// Keeps `subscription`, and requests everything from it.
  public func send(subscription: any Subscription) { subscribers.addFeed(subscription) }

  @inlinable @inline(__always)
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    subscribers.add(subscriber)
  }
}

extension CurrentValueSubject: Fed {}
extension CurrentValueSubject: Sendable where Output: Sendable {}  // all state is the list's

extension CurrentValueSubject: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["value": value]) }
}
