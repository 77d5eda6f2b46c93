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
    /// Whether it began before the list was started.
    package var isAdopted: Bool
    /// The number of values since the list was started.
    package var valueCount: Int
    /// The values that were requested and have not arrived; `nil` if that is not known.
    package var demand: Subscribers.Demand?
    /// How many values wait in its publisher; `nil` if the publisher keeps none, or that is not known.
    package var waitingCount: Int?
    /// The number of values that its publisher dropped since the list was started.
    package var dropCount: Int
    /// The time of the first event, on the clock of ``Timeline/Event/time``.
    package var firstEvent: Duration
    /// The time of the last event.
    package var lastEvent: Duration
    /// The newest events, the oldest first.
    package var events: [Timeline.Event] = []

    package var id: Int { subscription.id }
  }

  /// What is known of a subscription without a look at the subscription itself.
  package struct Summary: Sendable {
    let attachment: Attachment
    package let numbers: Numbers

    package var id: Int { attachment.id }
    package var parent: Int? { attachment.parent }
    package var publisher: String { attachment.publisher }
    package var subscriber: String { attachment.subscriber }
    package var name: String { attachment.label?.name ?? "" }
    package var file: String { attachment.label?.fileID ?? "" }
  }

  /// What is counted.
  package struct Numbers: Sendable {
    package internal(set) var valueCount = 0
    /// `nil` if it began before the list was started.
    package internal(set) var demand: Subscribers.Demand?
    package internal(set) var dropCount = 0
    /// The values of the publishers that this one's publisher merges.
    var childValueCount = 0
    var firstEvent: UInt64 = 0
    package internal(set) var lastEvent: UInt64 = 0
  }

  private let observer = LiveObserver()

  package init() {}

  /// Starts the list.
  package func start() {
    observer.enable()
    for attachment in Attachments.living {
      observer.observe(.adopted, on: attachment)
      if !Attachments.isLiving(attachment) { observer.forget(attachment) }  // it has ended meanwhile
    }
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
  package var entries: [Entry] {
    summaries.map { summary in
      var entry = entry(of: summary)
      entry.events = events(of: summary.id)
      return entry
    }
  }

  /// The subscriptions that exist now, the oldest first, at a small cost for each.
  package var summaries: [Summary] { observer.summaries(of: Attachments.living) }

  /// The entry of `summary` without its events. Reads demand and waiting values from the subscription itself.
  package func entry(of summary: Summary) -> Entry { Entry(summary) }

  /// The newest 100 events of a subscription, the oldest first; none if it is over.
  package func events(of id: Int) -> [Timeline.Event] { observer.events(of: id) }

  /// The number of all events since the start.
  package var eventCount: Int { observer.eventCount }

  /// The time now, on the clock of the entries.
  package var now: Duration { .nanoseconds(EventClock.now) }

  /// The number of values that were dropped without a subscription, such as by subjects without subscribers.
  package var unheardCount: Int { observer.unheardCount }
}

extension LiveSubscriptions.Entry {
  fileprivate init(_ summary: LiveSubscriptions.Summary) {
    let (attachment, numbers) = (summary.attachment, summary.numbers)
    let source = attachment.subscription?.unwrapped as? any UpstreamsVisible
    subscription = Timeline.Subscription(attachment)
    isAdopted = attachment.isAdopted
    valueCount = numbers.valueCount
    dropCount = numbers.dropCount
    firstEvent = .nanoseconds(numbers.firstEvent)
    lastEvent = .nanoseconds(numbers.lastEvent)
    let waiting = numbers.childValueCount - numbers.valueCount - numbers.dropCount
    let waitingHere = numbers.childValueCount > 0 && waiting >= 0 ? waiting : nil
    demand = source?.unmetDemand ?? numbers.demand
    waitingCount = source?.waitingValues ?? waitingHere
  }
}
