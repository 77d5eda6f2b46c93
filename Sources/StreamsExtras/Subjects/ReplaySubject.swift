/// A subject that replays the latest values to each new subscriber.
///
/// ```
/// sent    -1-2-3---4-|
/// late        ^23--4-|          bufferSize: 2
/// after              ^34|
/// ```
///
/// A subscriber receives the buffered values and all later ones in order, as it requests them, followed by the completion.
/// Thread-safe. A value that you send during a delivery is delivered when that one has reached all subscribers.
///
/// - Complexity: Keeps the buffer, and the values that each subscriber has not requested.
public final class ReplaySubject<Output, Failure: Error>: Subject {
  @usableFromInline package let feeds: Feeds
  @usableFromInline let buffer: ReplayBuffer<Output, Failure>

  private init(_ buffer: ReplayBuffer<Output, Failure>) {
    self.buffer = buffer
    feeds = Feeds()
    feeds.open()
  }

  /// Creates a subject that replays the last `bufferSize` values. Traps if `bufferSize` is negative.
  public convenience init(bufferSize: Int) { self.init(ReplayBuffer(size: bufferSize, age: nil)) }

  /// Creates a subject that replays all values.
  public convenience init() { self.init(bufferSize: .max) }

  /// Creates a subject that replays the last `bufferSize` values that are not older than `maxAge`.
  ///
  /// Values that are too old are released when the next value or subscriber arrives.
  public convenience init<Context: Scheduler>(
    bufferSize: Int = .max, maxAge: Context.SchedulerTimeType.Stride, scheduler: Context
  ) {
    self.init(
      ReplayBuffer(size: bufferSize) {
        let date = scheduler.now
        return { date.distance(to: scheduler.now) > maxAge }
      })
  }

  deinit {
    buffer.perform(.abandon)
    feeds.cancel()
  }

  /// Sends `value` to every subscriber, and adds it to the buffer. Ignored after the end.
  @inlinable
  public func send(_ value: Output) { buffer.perform(.value(value)) }

  /// Ends the stream, for later subscribers too.
  public func send(completion: Subscribers.Completion<Failure>) { buffer.perform(.completion(completion)) }

  /// Keeps `subscription`, and requests everything from it.
  public func send(subscription: any Subscription) { feeds.add(subscription) }

  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    buffer.add(subscriber, as: "ReplaySubject")
  }
}

extension ReplaySubject: Fed {}
extension ReplaySubject: Sendable where Output: Sendable {}  // all state is the buffer's and the feeds'

extension ReplaySubject: SharedTarget {
  @usableFromInline
  package func attach(_ connection: Connection) { feeds.add(connection) }

  @usableFromInline
  package func abandon() {}
}
