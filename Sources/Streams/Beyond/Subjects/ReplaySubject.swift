/// A subject that gives each new subscriber the values that were sent last, and then those that come.
///
/// ```
/// sent    -1-2-3---4-|
/// late        ^23--4-|          bufferSize: 2
/// after              ^34|
/// ```
///
/// A subscriber gets everything in the order in which it was sent, as it asks for it, and the end after that: nothing
/// that comes overtakes what is replayed, and nothing is lost for want of demand. Any thread may send. A value sent from
/// inside a delivery is delivered when that one has reached all subscribers.
///
/// - Complexity: Keeps the buffer, and for each subscriber what it has not asked for.
public final class ReplaySubject<Output, Failure: Error>: Subject {
  @usableFromInline let feeds: Feeds
  @usableFromInline let archive: Archive<Output, Failure>

  private init(_ archive: Archive<Output, Failure>) {
    self.archive = archive
    feeds = Feeds()
    feeds.open()
  }

  /// A subject that replays the last `bufferSize` values. Traps if that is negative.
  public convenience init(bufferSize: Int) { self.init(Archive(size: bufferSize, age: nil)) }

  /// A subject that replays everything.
  public convenience init() { self.init(bufferSize: .max) }

  /// A subject that replays the last `bufferSize` values, as far as they are not older than `maxAge`.
  public convenience init<Context: Scheduler>(
    bufferSize: Int = .max, maxAge: Context.SchedulerTimeType.Stride, scheduler: Context
  ) {
    self.init(
      Archive(size: bufferSize) {
        let date = scheduler.now
        return { date.distance(to: scheduler.now) > maxAge }
      })
  }

  deinit {
    archive.perform(.abandon)
    feeds.cancel()
  }

  /// Sends `value` to every subscriber, and keeps it for those to come.
  @inlinable
  public func send(_ value: Output) { archive.perform(.value(value)) }

  /// Ends the stream, for those to come as well.
  public func send(completion: Subscribers.Completion<Failure>) { archive.perform(.completion(completion)) }

  /// Keeps `subscription`, and asks it for everything.
  public func send(subscription: any Subscription) { feeds.add(subscription) }

  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    archive.admit(subscriber, as: "ReplaySubject")
  }
}

extension ReplaySubject: Fed {}
extension ReplaySubject: Sendable where Output: Sendable {}  // all state is the archive's and the feeds'
