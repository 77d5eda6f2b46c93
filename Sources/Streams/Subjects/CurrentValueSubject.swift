/// A subject that has a value, and passes each change of it on.
///
/// A new subscriber gets the current value as soon as it asks. One that has asked for nothing misses the values in
/// between: its next request brings the newest. The last value a subscriber sees is always the last one sent.
///
/// Any thread may send; see ``PassthroughSubject`` for what happens when deliveries meet.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  @usableFromInline let feeds = Feeds()
  @usableFromInline let audience: Audience<Output, Failure>
  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var current: Output
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var isOver = false

  /// A subject whose value is `value`.
  @inlinable
  public init(_ value: Output) {
    current = value
    audience = Audience("CurrentValueSubject", replaying: value)
    feeds.open()
  }

  deinit {
    audience.abandon()
    feeds.cancel()
  }

  /// The value now. Setting it sends it.
  ///
  /// Inside a subscriber's closure this is the value being delivered, or a newer one. It can still be set after
  /// the subject has ended; then nobody is told.
  @inlinable
  public var value: Output {
    get { lock.withLock { current } }
    set { set(newValue, evenWhenOver: true) }
  }

  /// Makes `value` the current value and sends it. Ignored after the subject has ended.
  @inlinable
  public func send(_ value: Output) { set(value, evenWhenOver: false) }

  public func send(completion: Subscribers.Completion<Failure>) {
    lock.withLock { isOver = true }
    audience.send(completion: completion)
  }

  /// Keeps `subscription`, and asks it for everything.
  public func send(subscription: any Subscription) { feeds.add(subscription) }

  @inlinable @inline(__always)
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    audience.admit(subscriber)
  }

  /// Stores and takes a place in the order of deliveries in one step, so that the two orders are the same.
  @inlinable
  func set(_ value: Output, evenWhenOver: Bool) {
    // Not as a closure: swiftc makes a function of one that is called in one place, and calls it.
    lock.take()
    if isOver, !evenWhenOver { return lock.give() }
    let old = current  // its deinit must not run under the lock
    current = value
    let place = isOver ? .others : audience.takePlace(for: value)
    lock.give()
    withExtendedLifetime(old) {}
    audience.carryOn(place, value)
  }
}

extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}  // `current` has its lock

extension CurrentValueSubject: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["value": value]) }
}
