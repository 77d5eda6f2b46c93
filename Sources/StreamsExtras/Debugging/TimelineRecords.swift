/// An event as it is kept: its texts are made when it is read.
struct TimelineRecord {
  let kind: Kind
  let attachment: Attachment?
  let time: UInt64
  let thread: Int32
  /// The number of the queue; less than zero for none.
  let queue: Int32

  enum Kind {
    case subscribed, found, subscription, finished, cancelled, released
    case requested(Subscribers.Demand)
    case value(SeenValue)
    // Indirect, as it is rare, and an event would take twice as much memory.
    indirect case dropped(SeenValue, DropReason, by: String)
    case failed(String)
  }

  init(_ signal: Signal, _ attachment: Attachment?, time: UInt64, thread: Int, queue: Int32) {
    kind =
      switch signal {
      case .subscribed: .subscribed
      case .adopted: .found
      case .subscription: .subscription
      case .requested(let demand): .requested(demand)
      case .value(let value): .value(value)
      case .dropped(let value, let reason, let dropper):
        .dropped(value, reason, by: attachment == nil ? String(describing: dropper) : "")
      case .finished: .finished
      case .failed(let words): .failed(words)
      case .cancelled: .cancelled
      case .released: .released
      }
    self.attachment = attachment
    self.time = time
    self.thread = Int32(thread)
    self.queue = queue
  }
}

/// The newest events of a ``Timeline``.
struct TimelineRecords {
  private let capacity: Int
  private var records: ContiguousArray<TimelineRecord> = []
  /// The position of the oldest record, once the capacity is reached.
  private var start = 0
  private var removedCount = 0
  private(set) var dropCount = 0
  private var queues = QueueLabels()

  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// Returns the record that was removed for this one, to be released elsewhere.
  mutating func append(
    _ signal: Signal, _ attachment: Attachment?, time: UInt64, thread: Int, queue label: UnsafePointer<CChar>
  ) -> TimelineRecord? {
    let queue = queues.add(label)
    if case .dropped = signal { dropCount += 1 }
    guard records.count == capacity else {
      records.append(TimelineRecord(signal, attachment, time: time, thread: thread, queue: queue))
      return nil
    }
    let old = records[start]
    queues.remove(old.queue)
    records[start] = TimelineRecord(signal, attachment, time: time, thread: thread, queue: queue)
    start = (start + 1) % capacity
    removedCount += 1
    return old
  }

  private var ordered: [TimelineRecord] { Array(records[start...] + records[..<start]) }

  // MARK: Reading

  var queueCount: Int { queues.count }

  var subscriptions: [Timeline.Subscription] {
    var seen: Set<Int> = []
    return ordered.compactMap(\.attachment).filter { seen.insert($0.id).inserted }
      .map(Timeline.Subscription.init)
  }

  var childIdentifiers: Set<Int> {
    Set(records.compactMap { $0.attachment.flatMap { $0.isChild ? $0.id : nil } })
  }

  var events: [Timeline.Event] {
    var subscriptions: [Int: Timeline.Subscription] = [:]
    return ordered.enumerated().map { index, record in
      let subscription = record.attachment.map { attachment in
        if let known = subscriptions[attachment.id] { return known }
        let new = Timeline.Subscription(attachment)
        subscriptions[attachment.id] = new
        return new
      }
      return Timeline.Event(
        number: removedCount + index, subscription: subscription, kind: Timeline.Event.Kind(record.kind),
        time: .nanoseconds(record.time), thread: Int(record.thread),
        queue: queues[record.queue])
    }
  }
}

extension Timeline.Subscription {
  init(_ attachment: Attachment) {
    let label = attachment.label
    self.init(
      id: attachment.id, parent: attachment.parent, publisher: attachment.publisher,
      subscriber: attachment.subscriber, name: label.flatMap { $0.name.isEmpty ? nil : $0.name },
      place: label.map { CallSite(fileID: $0.fileID, line: $0.line) })
  }
}

extension Timeline.Event.Kind {
  init(_ kind: TimelineRecord.Kind) {
    self =
      switch kind {
      case .subscribed: .subscribed
      case .found: .found
      case .subscription: .subscription
      case .requested(let demand): .requested(demand.max)
      case .value(let value): .value(value.text)
      case .dropped(let value, let reason, let dropper):
        .dropped(value.text, reason: dropper.isEmpty ? reason.rawValue : "\(dropper) has \(reason.rawValue)")
      case .finished: .finished
      case .failed(let words): .failed(words)
      case .cancelled: .cancelled
      case .released: .released
      }
  }
}
