internal import CInterleavings

/// The steps of a schedule as a reader wants them.
struct Report {
  let summary: String
  let table: String

  private struct Row: Equatable {
    var thread: Int
    var text: String
  }

  init(_ problem: Problem, names: [String]) {
    var first: UnsafePointer<interleavings_event>?
    let count = interleavings_events(&first)
    let events = Array(UnsafeBufferPointer(start: first, count: count))
    var culprits: [interleavings_event] = []
    if case .engine(_, _, let found) = problem { culprits = found }
    let relevant = Self.relevant(events, culprits)
    let symbols = Symbols((relevant + culprits).lazy.flatMap { Self.callers($0) })
    let threadCount = max(Int(interleavings_thread_count()), names.count)
    let names = (0..<threadCount).map { $0 < names.count ? names[$0] : "job \($0 + 1)" }
    var naming = Naming()
    var rows = relevant.compactMap { event -> Row? in
      guard let text = Self.text(event, symbols, names, &naming) else { return nil }
      return Row(thread: Int(event.thread), text: text)
    }
    var object = ""
    if let last = culprits.last, last.address != 0 {
      object = naming.name(last.address)
      let step = relevant.last
      if step?.thread != last.thread || step.map({ $0.address >> 3 }) != last.address >> 3 {
        let place = Self.places(last, symbols).first.map { "\($0.name) " } ?? ""
        rows.append(Row(thread: Int(last.thread), text: "\(place)accesses \(object)"))
      }
    }
    summary = Self.summary(problem, events, symbols, names, object)
    table = Self.table(rows, names)
  }

  private static func callers(_ event: interleavings_event) -> [UInt] {
    withUnsafeBytes(of: event.callers) { $0.bindMemory(to: UInt.self).filter { $0 != 0 } }
  }

  /// Steps on what several threads access, one of which writes, and steps that are about threads.
  private static func relevant(
    _ events: [interleavings_event], _ culprits: [interleavings_event]
  ) -> [interleavings_event] {
    struct Use {
      var threads: Set<Int32> = []
      var isWritten = false
      var isAtomic = false
    }
    var uses: [UInt: Use] = [:]
    for event in events where event.address != 0 {
      uses[event.address >> 3, default: Use()].threads.insert(event.thread)
      switch event.kind {
      case INTERLEAVINGS_READ, INTERLEAVINGS_LOAD: break
      default: uses[event.address >> 3]!.isWritten = true
      }
      switch event.kind {
      case INTERLEAVINGS_READ, INTERLEAVINGS_WRITE, INTERLEAVINGS_FREE: break
      default: uses[event.address >> 3]!.isAtomic = true
      }
    }
    let raced = Set(culprits.map { $0.address >> 3 }.filter { $0 != 0 })
    return events.filter { event in
      switch event.kind {
      case INTERLEAVINGS_READ, INTERLEAVINGS_WRITE, INTERLEAVINGS_FREE:
        let use = uses[event.address >> 3]!
        return raced.contains(event.address >> 3) || use.threads.count > 1 && use.isWritten && !use.isAtomic
      case INTERLEAVINGS_BEGIN: return false
      case INTERLEAVINGS_CANCEL, INTERLEAVINGS_END, INTERLEAVINGS_ENQUEUE, INTERLEAVINGS_FENCE: return true
      default: return true
      }
    }
  }

  /// Letters for objects, in the order in which they are met.
  private struct Naming {
    var letters: [UInt: String] = [:]

    mutating func name(_ address: UInt) -> String {
      let address = address >> 3
      if let name = letters[address] { return name }
      let number = letters.count
      let name = number < 26 ? String(UnicodeScalar(UInt8(65 + number))) : "object \(number)"
      letters[address] = name
      return name
    }
  }

  /// The places of a step, the innermost first.
  private static func places(_ event: interleavings_event, _ symbols: Symbols) -> [Place] {
    callers(event).flatMap { symbols[$0] }
  }

  private static func text(
    _ event: interleavings_event, _ symbols: Symbols, _ names: [String], _ naming: inout Naming
  ) -> String? {
    let name = places(event, symbols).first.map { "\($0.name) " } ?? ""
    let stale = event.is_stale ? ", not the newest" : ""
    func object() -> String { naming.name(event.address) }
    switch event.kind {
    case INTERLEAVINGS_LOAD: return "\(name)loads \(value(event.old_value, event)) from \(object())\(stale)"
    case INTERLEAVINGS_STORE: return "\(name)stores \(value(event.new_value, event)) in \(object())\(stale)"
    case INTERLEAVINGS_UPDATE, INTERLEAVINGS_EXCHANGED:
      return
        "\(name)changes \(object()) from \(value(event.old_value, event)) to \(value(event.new_value, event))\(stale)"
    case INTERLEAVINGS_NOT_EXCHANGED:
      return "\(name)finds \(value(event.old_value, event)) in \(object())\(stale), changes nothing"
    case INTERLEAVINGS_FENCE: return "\(name)fence"
    case INTERLEAVINGS_READ: return "\(name)reads \(object())"
    case INTERLEAVINGS_WRITE: return "\(name)writes \(object())"
    case INTERLEAVINGS_FREE: return "\(name)frees \(object())"
    case INTERLEAVINGS_LOCK: return "\(name)locks \(object())"
    case INTERLEAVINGS_UNLOCK: return "\(name)unlocks \(object())"
    case INTERLEAVINGS_WAIT: return "\(name)waits for \(object())"
    case INTERLEAVINGS_SLEEP: return "\(name)sleeps on \(object())"
    case INTERLEAVINGS_WAKE: return "\(name)wakes \(names[Int(event.new_value)])"
    case INTERLEAVINGS_CANCEL: return "\(name)cancels a task"
    case INTERLEAVINGS_ENQUEUE: return "\(name)lets \(names[Int(event.new_value)]) go on"
    case INTERLEAVINGS_END: return names[Int(event.thread)].hasPrefix("thread") ? "ends" : "ends, or awaits"
    default: return nil
    }
  }

  private static func value(_ value: UInt64, _ event: interleavings_event) -> String {
    switch event.size {
    case 1: "\(Int8(truncatingIfNeeded: value))"
    case 2: "\(Int16(truncatingIfNeeded: value))"
    case 4: "\(Int32(truncatingIfNeeded: value))"
    default:
      value > 1 << 40 && value < 1 << 48 ? "0x" + String(value, radix: 16) : "\(Int64(bitPattern: value))"
    }
  }

  // MARK: Words

  private static func summary(
    _ problem: Problem, _ events: [interleavings_event], _ symbols: Symbols, _ names: [String],
    _ object: String
  ) -> String {
    func at(_ event: interleavings_event) -> String {
      // What the engine remembers of the first of two steps has no callers, unlike the step itself.
      let step = events.last { $0.thread == event.thread && $0.callers.0 == event.callers.0 } ?? event
      let places = places(step, symbols)
      guard let first = places.first else { return "" }
      guard let other = places.first(where: { $0.file != first.file }) else { return " at \(first.name)" }
      return " at \(first.name), called at \(other.name)"
    }
    func name(_ event: interleavings_event) -> String {
      Int(event.thread) < names.count ? names[Int(event.thread)] : "?"
    }
    switch problem {
    case .expectation(let text): return text.sentence
    case .unending(let number):
      return "\(names[number].capitalizedFirst) never ends: it waits, and nobody resumes it."
    case .engine(let failure, let message, let culprits):
      switch failure {
      case INTERLEAVINGS_RACE:
        let what =
          culprits[0].kind == INTERLEAVINGS_READ
          ? "reads" : culprits[0].kind == INTERLEAVINGS_FREE ? "frees" : "writes"
        return
          "Data race: \(name(culprits[0])) \(what)\(at(culprits[0])), \(name(culprits[1])) accesses the same memory, \(object),\(at(culprits[1])), and nothing orders the two."
      case INTERLEAVINGS_USE_AFTER_FREE:
        return
          "Use after free: \(name(culprits[0])) frees \(object)\(at(culprits[0])), which \(name(culprits[1])) then accesses\(at(culprits[1]))."
      case INTERLEAVINGS_DEADLOCK:
        let last = Dictionary(
          events.filter { $0.kind != INTERLEAVINGS_READ && $0.kind != INTERLEAVINGS_WRITE }.map {
            ($0.thread, $0)
          }, uniquingKeysWith: { $1 })
        let waiting = last.sorted { $0.key < $1.key }.filter { $0.value.kind != INTERLEAVINGS_END }
          .map { "\(name($0.value)) waits\(at($0.value))" }
        return "Deadlock: \(waiting.joined(separator: ", ")), and nobody can go on."
      case INTERLEAVINGS_TRAP: return "Trap (\(message)): \(name(culprits[0]))\(at(culprits[0]))."
      case INTERLEAVINGS_ENDLESS:
        return "No end: the threads are still running after the greatest number of steps."
      default: return message.capitalizedFirst.sentence
      }
    }
  }

  private static func table(_ rows: [Row], _ names: [String]) -> String {
    let shown = Array(Set(rows.map(\.thread)).sorted())
    guard !shown.isEmpty else { return "" }
    let widths = shown.map { thread in
      max(names[thread].count, rows.filter { $0.thread == thread }.map(\.text.count).max() ?? 0)
    }
    func line(_ cells: [String]) -> String {
      var text = ""
      for (cell, width) in zip(cells, widths) {
        text += cell + String(repeating: " ", count: width - cell.count + 2)
      }
      while text.last == " " { text.removeLast() }
      return text
    }
    var lines = [line(shown.map { names[$0] }), line(widths.map { String(repeating: "─", count: $0) })]
    var last: Row?
    for row in rows where row != last {
      lines.append(line(shown.map { $0 == row.thread ? row.text : "" }))
      last = row
    }
    return lines.joined(separator: "\n")
  }
}

extension String {
  /// With one full stop.
  fileprivate var sentence: String { hasSuffix(".") ? self : self + "." }
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
