/// Records subscriptions, requests, values, drops and ends of any chain while it is enabled.
///
/// ```swift
/// let timeline = Timeline()
/// timeline.enable()
/// let sink = (1...3).publisher.filter { $0 > 1 }.sink { _ in }
/// timeline.disable()
/// print(timeline.text)
/// ```
///
/// In ``text``, ``svg`` and ``perfetto``, each connection of a subscriber to a publisher is a subscription of its own.
/// Subscriptions that began before are recorded as far as they are known: those that another timeline or introspection has
/// seen, and those that drop a value. Signals can arrive on several threads. You can read everything
/// at any time. <doc:/Guides/debugging> finds causes with it.
///
/// - Complexity: Keeps the newest events, up to its capacity.
public final class Timeline: _Introspection, Sendable {
  /// A connection of a subscriber to a publisher.
  public struct Subscription: Hashable, Sendable, Identifiable, CustomStringConvertible {
    /// A number that no other subscription of the process has.
    public let id: Int
    /// The subscription that receives what this one delivers. `nil` for that of a consumer, such as `sink`.
    public let parent: Int?
    /// The description of the publisher, or the name of its type.
    public let publisher: String
    /// The description of the subscriber, or the name of its type.
    public let subscriber: String
    /// The name that `named(_:)`, `checkpoint(_:)` or `debug(_:)` has given to the chain. `nil` without a name.
    public let name: String?
    /// The place of the call that gave the name.
    public let place: CallSite?

    /// A text such as `Sequence → Filter`, followed by the name if there is one.
    public var description: String {
      "\(publisher) → \(subscriber)" + (name.map { " (\($0))" } ?? "")
    }
  }

  /// A recorded event.
  public struct Event: Sendable {
    /// The position of the event, counted from zero.
    public let number: Int
    /// The subscription. `nil` for a value that is dropped without one, such as by a subject without subscribers.
    public let subscription: Subscription?
    /// The kind of the event.
    public let kind: Kind
    /// The time since a tool of this process first used the clock. It never decreases on a thread.
    public let time: Duration
    /// A short number of the thread. The main thread has number 1.
    public let thread: Int
    /// The label of the Dispatch queue. The main actor's is `com.apple.main-thread`. `nil` on a thread without a queue.
    public let queue: String?

    /// The kind of an event.
    public enum Kind: Hashable, Sendable {
      /// A subscriber was attached to a publisher.
      case subscribed
      /// A subscription was found that began before the timeline was enabled.
      case found
      /// The subscription arrived.
      case subscription
      /// Values were requested. `nil` is an unlimited request.
      case requested(Int?)
      /// A value arrived, with this description.
      case value(String)
      /// A value was dropped, with this description, for this reason.
      case dropped(String, reason: String)
      /// The stream finished.
      case finished
      /// The stream failed, with this description.
      case failed(String)
      /// The subscription was cancelled.
      case cancelled
      /// The subscription was released without an end.
      case released
    }
  }

  private let state: Guarded<TimelineRecords>
  private let thread: Int?

  /// Creates a timeline, which records once it is enabled.
  ///
  /// - Parameters:
  ///   - onlyThisThread: Whether to record only events on the current thread.
  ///   - capacity: The largest number of events, at least one. When it is reached, the oldest events are removed.
  public init(onlyThisThread: Bool = false, capacity: Int = 1_000_000) {
    thread = onlyThisThread ? EventClock.thread : nil
    state = Guarded(TimelineRecords(capacity: capacity))
  }

  /// The recorded events, in order.
  public var events: [Event] { state.withLock { $0 }.events }

  /// The subscriptions of the recorded events, in the order of their first event.
  public var subscriptions: [Subscription] { state.withLock { $0 }.subscriptions }

  /// The subscriptions of those that an operator merges.
  var childIdentifiers: Set<Int> { state.withLock { $0 }.childIdentifiers }

  /// The number of all drops that were recorded, and not only of those in ``events``.
  public var dropCount: Int { state.withLock { $0.dropCount } }

  /// How many labels of queues are stored.
  package var queueCount: Int { state.withLock { $0.queueCount } }
}

extension Timeline: AttachmentObserver {
  package func observe(_ signal: Signal, on attachment: Attachment?) {
    let thread = EventClock.thread
    if let only = self.thread, only != thread { return }
    note(signal, on: attachment, time: EventClock.now, thread: thread, queue: EventClock.queueLabel)
  }

  /// Records a signal with the time in nanoseconds, the number of the thread, and the label of the queue, empty for none.
  package func note(
    _ signal: Signal, on attachment: Attachment?, time: UInt64, thread: Int, queue label: UnsafePointer<CChar>
  ) {
    let gone = state.withLock { $0.append(signal, attachment, time: time, thread: thread, queue: label) }
    withExtendedLifetime(gone) {}
  }
}
