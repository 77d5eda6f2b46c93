/// A subject that replays the latest values to each new subscriber.
///
/// ```
/// sent    -1-2-3---4-|
/// late        ^23--4-|          bufferSize: 2
/// after              ^34|
/// ```
///
/// A subscriber receives the buffered values and all later ones in order, as it requests them, followed by the completion. The
/// buffered values arrive on the subscribing thread, before `subscribe` returns, as far as they are requested by then.
/// Thread-safe. A value that you send during a delivery is delivered when that one has reached all subscribers. A value that
/// leaves the buffer before anyone has subscribed is reported as dropped.
///
/// - Complexity: Keeps the buffer, and the values that each subscriber has not requested.
public final class ReplaySubject<Output, Failure: Error>: Subject {
  @usableFromInline package let subscribers: SubscriberList<Output, Failure>
  @usableFromInline let size: Int
  /// Creates the check whether a value that is stored now is too old; `nil` if no value ever is.
  @usableFromInline let age: (() -> () -> Bool)?
  @exclusivity(unchecked)  // under the list's lock only, as the next one
  @usableFromInline var kept = RingQueue<(value: Output, isOld: (() -> Bool)?)>()
  /// How many values have been removed.
  @exclusivity(unchecked)
  @usableFromInline var removed = 0
  /// How many of the last values no subscriber was given.
  @exclusivity(unchecked)
  @usableFromInline var unheard = 0
  /// Reports a value that no subscriber was given. If there is such a closure, only these values are kept.
  @usableFromInline let onDrop: ((Output) -> Void)?

  private init(size: Int, age: (() -> () -> Bool)?, onDrop: ((Output) -> Void)? = nil) {
    if size < 0 { Violation.negativeCount("the size of a buffer", size) }
    self.size = size
    self.age = age
    self.onDrop = onDrop
    subscribers = SubscriberList("ReplaySubject", zeroDemand: .passes, keepingAll: true)
  }

  /// Creates a subject that replays the last `bufferSize` values. Traps if `bufferSize` is negative.
  public convenience init(bufferSize: Int) { self.init(size: bufferSize, age: nil) }

  /// Creates a subject that keeps the last `bufferSize` values while it has no subscriber. The next one takes them over.
  @usableFromInline
  package convenience init(keeping bufferSize: Int, onDrop: @escaping (Output) -> Void) {
    self.init(size: bufferSize, age: nil, onDrop: onDrop)
  }

  /// Creates a subject that replays all values.
  public convenience init() { self.init(bufferSize: .max) }

  /// Creates a subject that replays the last `bufferSize` values that are not older than `maxAge`.
  ///
  /// Values that are too old are released when the next value or subscriber arrives.
  public convenience init<Context: Scheduler>(
    bufferSize: Int = .max, maxAge: Context.SchedulerTimeType.Stride, scheduler: Context
  ) {
    self.init(size: bufferSize) {
      let date = scheduler.now
      return { date.distance(to: scheduler.now) > maxAge }
    }
  }

  deinit {
    subscribers.abandon()
    subscribers.cancelFeeds()
  }

  /// Sends `value` to every subscriber, and adds it to the buffer. Ignored after the end.
  @inlinable
  public func send(_ value: Output) {
    if age != nil { removeOld() }
    let isOld = age?()
    var oldest: Output?  // its deinit must not run under the lock
    var isLost = false
    let reservation = subscribers.lock.withLock {
      subscribers.hasEnded ? nil : store(value, isOld, &oldest, &isLost)
    }
    if let reservation { subscribers.finishDelivery(reservation, value) }
    if isLost, let oldest { note(oldest, because: .full) }
  }

  @inlinable @inline(__always)
  func store(
    _ value: Output, _ isOld: (() -> Bool)?, _ oldest: inout Output?, _ isLost: inout Bool
  ) -> Reservation {
    let isHeard = subscribers.hasSubscribers
    if onDrop == nil || !isHeard {
      if kept.count >= size, !kept.isEmpty { (oldest, isLost) = removeFirst() }
      if size > 0 {
        kept.append((value, isOld))
        if !isHeard { unheard += 1 }
      } else if !isHeard {
        (oldest, isLost) = (value, true)
      }
    }
    var none: Output?
    return subscribers.reservePosition(for: value, &none)
  }

  /// Removes the first value. Returns also whether no subscriber was given it.
  @inlinable @inline(__always)
  func removeFirst() -> (Output, Bool) {
    let first = kept.removeFirst()
    removed += 1
    guard unheard > kept.count else { return (first.value, false) }
    unheard -= 1
    return (first.value, true)
  }

  @usableFromInline
  func note(_ value: Output, because reason: DropReason) {
    if let onDrop { return onDrop(value) }
    Drops.note(value, by: subscribers, because: reason)
  }

  /// Removes the values that are too old. No lock is held while the scheduler is asked for the time.
  @usableFromInline
  func removeOld() {
    while true {
      let (first, number) = subscribers.lock.withLock { (kept.first, removed) }
      guard let first, first.isOld?() == true else { return }
      let isLost = subscribers.lock.withLock { number == removed && removeFirst().1 }  // `first` outlives the lock
      if isLost { note(first.value, because: .old) }
    }
  }

  /// Ends the stream, for later subscribers too.
  public func send(completion: Subscribers.Completion<Failure>) { subscribers.send(completion: completion) }

  /// Keeps `subscription`, and requests everything from it.
  public func send(subscription: any Subscription) { subscribers.addFeed(subscription) }

  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    if age != nil { removeOld() }
    subscribers.add(subscriber) { keep in
      kept.forEach { keep($0.value) }
      unheard = 0
      if onDrop != nil { kept = RingQueue() }  // the subscriber has the values now
    }
  }
}

extension ReplaySubject: Fed {}
extension ReplaySubject: @unchecked Sendable where Output: Sendable {}  // what varies is under the list's lock

extension ReplaySubject: SharedTarget {
  @usableFromInline
  package func attach(_ connection: Connection) { subscribers.addFeed(connection) }

  @usableFromInline
  package func abandon() {}
}
