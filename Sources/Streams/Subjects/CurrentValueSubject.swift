/// A subject that stores a value, and sends each new one.
///
/// ```swift
/// let count = CurrentValueSubject<Int, Never>(0)
/// let cancellable = count.sink { print($0) }  // Prints 0
/// count.send(1)  // Prints 1
/// count.value += 1  // Prints 2
/// ```
///
/// A new subscriber receives the current value with its first request. A subscriber without demand misses values, and
/// receives the newest with its next request. No subscriber receives a value that is older than one it has received.
///
/// Thread-safe. ``PassthroughSubject`` describes concurrent deliveries.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  @usableFromInline package let feeds = Feeds()
  @usableFromInline package let subscribers: SubscriberList<Output, Failure>
  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var current: Output
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var isOver = false

  /// Creates a subject with a value.
  @inlinable
  public init(_ value: Output) {
    current = value
    subscribers = SubscriberList("CurrentValueSubject", replaying: value)
    feeds.open()
  }

  deinit {
    subscribers.abandon()
    feeds.cancel()
  }

  /// The current value. Setting it sends it.
  ///
  /// In a subscriber's closure, this is the value being delivered or a newer one. It can still be set after the subject
  /// has ended, without being sent.
  @inlinable
  public var value: Output {
    get { lock.withLock { current } }
    set { set(newValue, evenWhenOver: true) }
  }

  /// Stores `value` and sends it. Ignored after the subject has ended.
  @inlinable
  public func send(_ value: Output) { set(value, evenWhenOver: false) }

  public func send(completion: Subscribers.Completion<Failure>) {
    lock.withLock { isOver = true }
    subscribers.send(completion: completion)
  }

  /// Keeps `subscription`, and requests everything from it.
  public func send(subscription: any Subscription) { feeds.add(subscription) }

  @inlinable @inline(__always)
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    subscribers.add(subscriber)
  }

  /// Stores and takes a place in the order of deliveries in one step, so that the two orders are the same.
  @inlinable
  func set(_ value: Output, evenWhenOver: Bool) {
    // Not as a closure: swiftc makes a function of one that is called in one place, and calls it.
    lock.take()
    if isOver, !evenWhenOver { return lock.give() }
    let old = current  // its deinit must not run under the lock
    current = value
    let place = isOver ? .others : subscribers.reservePosition(for: value)
    lock.give()
    withExtendedLifetime(old) {}
    subscribers.finishDelivery(place, value)
  }
}

extension CurrentValueSubject {
  /// `trySend` of StreamsExtras.
  @inlinable
  package func sendAtOnce(_ value: Output) -> Bool {
    lock.take()
    if isOver {
      lock.give()
      return true
    }
    guard let place = subscribers.tryReservePosition() else {
      lock.give()
      return false
    }
    let old = current  // its deinit must not run under the lock
    current = value
    lock.give()
    withExtendedLifetime(old) {}
    subscribers.finishDelivery(place, value)
    return true
  }

  /// Stores `value`, and reserves its place in the order of deliveries. This is the first half of sending, for
  /// callers that hold a lock. The caller holds the previous value, so it is not released here.
  package func place(_ value: Output) -> SubscriberList<Output, Failure>.Position {
    lock.withLock {
      current = value
      return subscribers.reservePosition(for: value)
    }
  }
}

extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}  // `current` has its lock

extension CurrentValueSubject: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["value": value]) }
}
