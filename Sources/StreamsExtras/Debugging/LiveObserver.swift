/// Counts for ``LiveSubscriptions``.
final class LiveObserver: AttachmentObserver, Sendable {
  fileprivate struct Counts {
    var valueCount = 0
    /// `nil` if it began before.
    var demand: Subscribers.Demand?
    var dropCount = 0
    /// The values of the publishers that this one's publisher merges.
    var childValueCount = 0
    var records = TimelineRecords(capacity: 100)
    var lastEvent: UInt64 = 0
  }

  private struct State {
    var counts: [Int: Counts] = [:]
    var unheardCount = 0
  }

  private let state = Guarded(State())

  func observe(_ signal: Signal, on attachment: Attachment?) {
    let (time, thread, label) = (EventClock.now, EventClock.thread, EventClock.queueLabel)
    let gone = state.withLock { state -> Counts? in
      guard let attachment else {
        state.unheardCount += 1
        return nil
      }
      if case .adopted = signal, state.counts[attachment.id] != nil { return nil }  // since another start, or meanwhile
      if case .value = signal, attachment.isChild, let parent = attachment.parent {
        state.counts[parent]?.childValueCount += 1
      }
      state.counts[attachment.id, default: Counts()].note(
        signal, attachment, time: time, thread: thread, queue: label)
      switch signal {
      case .finished, .failed, .cancelled, .released: return state.counts.removeValue(forKey: attachment.id)
      default: return nil
      }
    }
    withExtendedLifetime(gone) {}
  }

  func removeAll() {
    let gone = state.withLock { state in
      defer { state = State() }
      return state
    }
    withExtendedLifetime(gone) {}
  }

  var unheardCount: Int { state.withLock { $0.unheardCount } }

  func entries(of living: [Attachment]) -> [LiveSubscriptions.Entry] {
    let counts = state.withLock { $0.counts }
    return living.map { attachment in
      var entry = LiveSubscriptions.Entry(subscription: Timeline.Subscription(attachment))
      let source = attachment.subscription?.unwrapped as? any UpstreamsVisible
      if let counts = counts[attachment.id] {
        entry.valueCount = counts.valueCount
        entry.dropCount = counts.dropCount
        entry.lastEvent = .nanoseconds(counts.lastEvent)
        entry.events = counts.records.events
        entry.demand = counts.demand
        let waiting = counts.childValueCount - counts.valueCount - counts.dropCount
        if counts.childValueCount > 0, waiting >= 0 { entry.waitingCount = waiting }
      }
      entry.demand = source?.unmetDemand ?? entry.demand
      entry.waitingCount = source?.waitingValues ?? entry.waitingCount
      return entry
    }
  }
}

extension LiveObserver.Counts {
  fileprivate mutating func note(
    _ signal: Signal, _ attachment: Attachment, time: UInt64, thread: Int,
    queue label: UnsafePointer<CChar>
  ) {
    lastEvent = time
    _ = records.append(signal, attachment, time: time, thread: thread, queue: label)
    switch signal {
    case .subscription: demand = Subscribers.Demand.none
    case .requested(let more): demand? += more
    case .value:
      valueCount += 1
      if let known = demand, known > .none { demand = known - 1 }
    case .dropped: dropCount += 1
    default: break
    }
  }
}
