internal import CInterleavings

/// What happened in a schedule, step by step.
extension Explorer {
  /// Something that a scenario has noted down, and after how many steps.
  struct Note {
    let step: Int
    let text: String
  }

  /// The next schedules are recorded, so that they can be told.
  public func record() { State.notes = [] }

  public func note(_ words: () -> String) {
    guard State.notes != nil else { return }
    State.notes!.append(
      Note(step: eventCount, text: "\(runner < 0 ? "-" : String(runner)): \(words())"))
  }

  private var eventCount: Int {
    var first: UnsafePointer<interleavings_event>?
    return interleavings_events(&first)
  }

  /// The last schedule, if it was recorded: a line for each step, with the places in the sources.
  public var story: [String] {
    var first: UnsafePointer<interleavings_event>?
    let count = interleavings_events(&first)
    let raced = interleavings_culprits().map { $0[1].address >> 3 } ?? 0
    // Of plain accesses, those of the variable that is raced for.
    let all = UnsafeBufferPointer(start: first, count: count).enumerated().filter { _, event in
      let isPlain = event.kind == INTERLEAVINGS_READ || event.kind == INTERLEAVINGS_WRITE
      return !isPlain || event.address >> 3 == raced
    }
    let symbols = Symbols(all.flatMap { Self.callers(of: $0.element) })
    var notes = (State.notes ?? [])[...]
    var lines: [String] = []
    for (index, event) in all {
      while !notes.isEmpty, notes[notes.startIndex].step <= index { lines.append(notes.removeFirst().text) }
      guard let words = Self.words(for: event) else { continue }
      let places = Self.callers(of: event).flatMap { symbols[$0].map(\.name) }.prefix(3)
      lines.append("\(event.thread): \(words) \(places.joined(separator: " ← "))")
    }
    return lines + notes.map(\.text)
  }

  private static func callers(of event: interleavings_event) -> [UInt] {
    withUnsafeBytes(of: event.callers) { Array($0.bindMemory(to: UInt.self).prefix(8).prefix { $0 != 0 }) }
  }

  private static func words(for event: interleavings_event) -> String? {
    let place = String(event.address, radix: 16)
    let stale = event.is_stale ? ", not the newest" : ""
    switch event.kind {
    case INTERLEAVINGS_LOAD: return "loads \(event.old_value) from \(place)\(stale)"
    case INTERLEAVINGS_STORE: return "stores \(event.new_value) in \(place)\(stale)"
    case INTERLEAVINGS_UPDATE, INTERLEAVINGS_EXCHANGED:
      return "changes \(event.old_value) to \(event.new_value) in \(place)\(stale)"
    case INTERLEAVINGS_NOT_EXCHANGED: return "finds \(event.old_value) in \(place)\(stale)"
    case INTERLEAVINGS_READ: return "reads \(place)"
    case INTERLEAVINGS_WRITE: return "writes \(place)"
    case INTERLEAVINGS_LOCK: return "locks \(place)"
    case INTERLEAVINGS_UNLOCK: return "unlocks \(place)"
    case INTERLEAVINGS_SLEEP: return "sleeps on \(place)"
    case INTERLEAVINGS_WAKE: return "wakes \(event.new_value)"
    case INTERLEAVINGS_ENQUEUE: return "enqueues \(event.new_value)"
    case INTERLEAVINGS_BEGIN: return "begins"
    case INTERLEAVINGS_END: return "ends"
    default: return nil
    }
  }
}
