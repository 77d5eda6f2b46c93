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
/// Thread-safe. A value that you send during a delivery is delivered when that one has reached all subscribers.
///
/// - Complexity: Keeps the buffer, and the values that each subscriber has not requested.
public final class ReplaySubject<Output, Failure: Error>: Subject {
  @usableFromInline package let feeds = Feeds()
  @usableFromInline let subscribers: SubscriberList<Output, Failure>
  @usableFromInline let size: Int
  /// Creates the check whether a value that is stored now is too old; `nil` if no value ever is.
  @usableFromInline let age: (() -> () -> Bool)?
  @exclusivity(unchecked)  // under the list's lock only, as the next one
  @usableFromInline var kept = RingQueue<(value: Output, isOld: (() -> Bool)?)>()
  /// How many values have been removed.
  @exclusivity(unchecked)
  @usableFromInline var removed = 0

  private init(size: Int, age: (() -> () -> Bool)?) {
    if size < 0 { Violation.negativeCount("the size of a buffer", size) }
    self.size = size
    self.age = age
    subscribers = SubscriberList("ReplaySubject", zeroDemand: .passes, keepingAll: true)
    feeds.open()
  }

  /// Creates a subject that replays the last `bufferSize` values. Traps if `bufferSize` is negative.
  public convenience init(bufferSize: Int) { self.init(size: bufferSize, age: nil) }

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
    feeds.cancel()
  }

  /// Sends `value` to every subscriber, and adds it to the buffer. Ignored after the end.
  @inlinable
  public func send(_ value: Output) {
    if age != nil { removeOld() }
    let isOld = age?()
    var oldest: Output?  // its deinit must not run under the lock
    let reservation = subscribers.lock.withLock {
      subscribers.isOver ? nil : store(value, isOld, &oldest)
    }
    withExtendedLifetime(oldest) {}
    if let reservation { subscribers.finishDelivery(reservation, value) }
  }

  @inlinable @inline(__always)
  func store(
    _ value: Output, _ isOld: (() -> Bool)?, _ oldest: inout Output?
  ) -> Reservation {
    if kept.count >= size, let first = kept.popFirst() {
      oldest = first.value
      removed += 1
    }
    if size > 0 { kept.append((value, isOld)) }
    var none: Output?
    return subscribers.reservePosition(for: value, &none)
  }

  /// Removes the values that are too old. No lock is held while the scheduler is asked for the time.
  @usableFromInline
  func removeOld() {
    while true {
      let (first, number) = subscribers.lock.withLock { (kept.first, removed) }
      guard let first, first.isOld?() == true else { return }
      subscribers.lock.withLock {
        guard number == removed else { return }
        _ = kept.popFirst()  // `first` outlives the lock
        removed += 1
      }
    }
  }

  /// Ends the stream, for later subscribers too.
  public func send(completion: Subscribers.Completion<Failure>) { subscribers.send(completion: completion) }

  /// Keeps `subscription`, and requests everything from it.
  public func send(subscription: any Subscription) { feeds.add(subscription) }

  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    if age != nil { removeOld() }
    subscribers.add(subscriber) { keep in kept.forEach { keep($0.value) } }
  }
}

extension ReplaySubject: Fed {}
extension ReplaySubject: @unchecked Sendable where Output: Sendable {}  // what varies is under the list's lock

extension ReplaySubject: SharedTarget {
  @usableFromInline
  package func attach(_ connection: Connection) { feeds.add(connection) }

  @usableFromInline
  package func abandon() {}
}
