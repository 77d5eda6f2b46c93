/// Counts for ``LiveSubscriptions``.
final class LiveObserver: AttachmentObserver, Sendable {
  fileprivate struct Counts {
    var numbers = LiveSubscriptions.Numbers()
    var records = TimelineRecords(capacity: 100)
  }

  private struct State {
    var counts: [Int: Counts] = [:]
    var eventCount = 0
    var unheardCount = 0
  }

  private let state = Guarded(State())

  func observe(_ signal: Signal, on attachment: Attachment?) {
    let (time, thread, label) = (EventClock.now, EventClock.thread, EventClock.queueLabel)
    let gone = state.withLock { state -> Counts? in
      state.eventCount += 1
      guard let attachment else {
        state.unheardCount += 1
        return nil
      }
      switch signal {
      case .adopted where state.counts[attachment.id] != nil: return nil  // since another start, or meanwhile
      case .subscribed, .adopted:
        if state.counts[attachment.id] == nil { state.counts[attachment.id] = Counts() }
      case .value where attachment.isChild:
        if let parent = attachment.parent { state.counts[parent]?.numbers.childValueCount += 1 }
      default: break  // what arrives after the end creates nothing that stays
      }
      state.counts[attachment.id]?.note(signal, attachment, time: time, thread: thread, queue: label)
      switch signal {
      case .finished, .failed, .cancelled, .released: return state.counts.removeValue(forKey: attachment.id)
      default: return nil
      }
    }
    withExtendedLifetime(gone) {}
  }

  func forget(_ attachment: Attachment) {
    let gone = state.withLock { $0.counts.removeValue(forKey: attachment.id) }
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

  var eventCount: Int { state.withLock { $0.eventCount } }

  /// In parts, so that no thread waits long for the lock.
  func summaries(of living: [Attachment]) -> [LiveSubscriptions.Summary] {
    stride(from: 0, to: living.count, by: 128).flatMap { start in
      let part = living[start..<min(start + 128, living.count)]
      let numbers = state.withLock { state in part.map { state.counts[$0.id]?.numbers } }
      return zip(part, numbers).map { LiveSubscriptions.Summary(attachment: $0, numbers: $1 ?? .init()) }
    }
  }

  func events(of id: Int) -> [Timeline.Event] {
    let records = state.withLock { $0.counts[id]?.records }
    return records?.events ?? []
  }
}

extension LiveObserver.Counts {
  fileprivate mutating func note(
    _ signal: Signal, _ attachment: Attachment, time: UInt64, thread: Int,
    queue label: UnsafePointer<CChar>
  ) {
    if numbers.firstEvent == 0 { numbers.firstEvent = time }
    numbers.lastEvent = time
    _ = records.append(signal, attachment, time: time, thread: thread, queue: label)
    switch signal {
    case .subscription: numbers.demand = Subscribers.Demand.none
    case .requested(let more): numbers.demand? += more
    case .value:
      numbers.valueCount += 1
      if let known = numbers.demand, known > .none { numbers.demand = known - 1 }
    case .dropped: numbers.dropCount += 1
    default: break
    }
  }
}
