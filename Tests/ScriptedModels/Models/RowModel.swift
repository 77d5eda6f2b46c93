internal import Streams

/// `zip`: rows of one value of each upstream.
struct ZipModel: Model {
  var ledger = Ledger()
  private var queues: [[Int]]
  private var finished: Set<Int> = []
  private var failure: Ending?

  init(_ arity: Int) { queues = Array(repeating: [], count: arity) }

  mutating func take(_ stimulus: Stimulus) {
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined: for source in queues.indices { ledger.subscribe(to: source) }
    case .opened: ledger.ask(ledger.lines.count - 1, for: ledger.demanded)
    case .asked(_, let more), .answered(_, let more): ledger.askAll(for: more)
    case .value(let line, let value): queues[line].append(value)
    case .ended(let line, .finished): finished.insert(line)
    case .ended(_, let how): failure = how
    default: break
    }
  }

  mutating func next() -> Output? {
    if ledger.isOver { return nil }
    if let failure { return ledger.end(failure) }
    if finished.contains(where: { queues[$0].isEmpty }) { return ledger.end(.finished) }
    guard ledger.demand > .none, !queues.contains(where: \.isEmpty) else { return nil }
    return ledger.send(queues.indices.map { queues[$0].removeFirst() })
  }
}

/// `combineLatest`: a row of the latest values with each value, if it is asked for.
struct LatestModel: Model {
  var ledger = Ledger()
  private var latest: [Int?]
  private var row: (of: Int, values: [Int])?
  /// Whose value made the rows that are being delivered: the answer is theirs alone.
  private var senders = [0]
  private var finished = 0
  private var failure: Ending?

  init(_ arity: Int) { latest = Array(repeating: nil, count: arity) }

  mutating func take(_ stimulus: Stimulus) {
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined: for source in latest.indices { ledger.subscribe(to: source) }
    case .opened: ledger.ask(ledger.lines.count - 1, for: ledger.demanded)
    case .asked(_, let more): ledger.askAll(for: more)
    case .answered(_, let more): ledger.ask(senders[senders.count - 1], for: more)
    case .returned: senders.removeLast()
    case .value(let line, let value):
      latest[line] = value
      let row = latest.compactMap { $0 }
      if row.count == latest.count, ledger.demand > .none { self.row = (line, row) }
    case .ended(_, .finished): finished += 1
    case .ended(_, let how): failure = how
    default: break
    }
  }

  mutating func next() -> Output? {
    if ledger.isOver { return nil }
    if let row {
      self.row = nil
      senders.append(row.of)
      return ledger.send(row.values)
    }
    if let failure { return ledger.end(failure) }
    return finished == latest.count ? ledger.end(.finished) : nil
  }
}
