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

/// `combineLatest`: a row of the latest values with each value. Without demand, the newest row waits for it.
struct LatestModel: Model {
  var ledger = Ledger()
  private var latest: [Int?]
  private var row: (of: Int, values: [Int])?
  private var news: [Int]?
  /// Whose value made the rows that are being delivered: the answer is theirs alone. `nil` for a row that has waited.
  private var senders: [Int?] = [0]
  private var finished = 0
  private var failure: Ending?

  init(_ arity: Int) { latest = Array(repeating: nil, count: arity) }

  mutating func take(_ stimulus: Stimulus) {
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined: for source in latest.indices { ledger.subscribe(to: source) }
    case .opened: ledger.ask(ledger.lines.count - 1, for: ledger.demanded)
    case .asked(_, let more): ledger.askAll(for: more)
    case .answered(_, let more):
      if let sender = senders[senders.count - 1] {
        ledger.ask(sender, for: more)
      } else {
        ledger.askAll(for: more)
      }
    case .returned: senders.removeLast()
    case .value(let line, let value):
      latest[line] = value
      let row = latest.compactMap { $0 }
      guard row.count == latest.count else { return }
      if ledger.demand > .none { (self.row, news) = ((line, row), nil) } else { news = row }
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
    if let news, ledger.demand > .none {
      self.news = nil
      senders.append(nil)
      return ledger.send(news)
    }
    return finished == latest.count && news == nil ? ledger.end(.finished) : nil
  }
}
