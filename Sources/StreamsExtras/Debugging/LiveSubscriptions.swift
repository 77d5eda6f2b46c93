/// A process-wide list of the subscriptions that exist now, with counts and the newest events of each.
///
/// Off until it is started. It attaches to what already runs as far as that is known: subscriptions that another
/// introspection has seen, the chains above `print()`, `debug(_:)` and `handleDrops(_:)`, those that are passed to
/// ``attach(to:)``, and each that drops a value.
package final class LiveSubscriptions: Sendable {
  /// A subscription that exists now.
  package struct Entry: Sendable, Identifiable {
    /// The operator, the subscriber, the name and the place.
    package let subscription: Timeline.Subscription
    /// The number of values since the list was started.
    package var valueCount = 0
    /// The values that were requested and have not arrived; `nil` if that is not known.
    package var demand: Subscribers.Demand?
    /// How many values wait in its publisher; `nil` if the publisher keeps none, or that is not known.
    package var waitingCount: Int?
    /// The number of values that its publisher dropped since the list was started.
    package var dropCount = 0
    /// The time of the last event, on the clock of ``Timeline/Event/time``.
    package var lastEvent = Duration.zero
    /// The newest events, the oldest first.
    package var events: [Timeline.Event] = []

    package var id: Int { subscription.id }
  }

  /// The list of this process.
  package static let shared = LiveSubscriptions()

  private let observer = LiveObserver()

  private init() {}

  /// Starts the list.
  package func start() {
    observer.enable()
    for attachment in Attachments.living { observer.observe(.adopted, on: attachment) }
    for subscription in DropWatch.subscriptions { Attachments.adopt(subscription) }
  }

  /// Stops the list and forgets what it has.
  package func stop() {
    observer.disable()
    observer.removeAll()
  }

  /// Whether the list is started.
  package var isStarted: Bool { observer.isEnabled }

  /// Adds `subscription` and those above it, which may have begun before the list was started.
  package func attach(to subscription: any Subscription) { Attachments.adopt(subscription) }

  /// The subscriptions that exist now, the oldest first.
  package var entries: [Entry] { observer.entries(of: Attachments.living) }

  /// The time now, on the clock of the entries.
  package var now: Duration { .nanoseconds(EventClock.now) }

  /// The number of values that were dropped without a subscription, such as by subjects without subscribers.
  package var unheardCount: Int { observer.unheardCount }
}
