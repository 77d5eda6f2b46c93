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

/// `combineLatest`: a row of the latest values with each value. Without demand, the newest row waits for it. A value during the
/// delivery of a row makes none.
struct LatestModel: Model {
  var ledger = Ledger()
  private var latest: [Int?]
  private var row: [Int]?
  private var news: [Int]?
  private var isDelivering = false
  /// How many values each line has sent.
  private var sent: [Int] = []
  private var finished = 0
  private var failure: Ending?

  init(_ arity: Int) { latest = Array(repeating: nil, count: arity) }

  mutating func take(_ stimulus: Stimulus) {
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined: for source in latest.indices { ledger.subscribe(to: source) }
    case .opened:
      sent.append(0)
      ledger.ask(ledger.lines.count - 1, for: ledger.demanded)
    case .asked(_, let more): if !isDelivering { ledger.askAll(for: more) }
    case .returned:
      isDelivering = false
      askForTheRest()
    case .value(let line, let value):
      latest[line] = value
      sent[line] += 1
      let row = latest.compactMap { $0 }
      guard row.count == latest.count, !isDelivering else { return }
      if ledger.demand > .none { (self.row, news) = (row, nil) } else { news = row }
    case .ended(_, .finished): finished += 1
    case .ended(_, let how): failure = how
    default: break
    }
  }

  /// After a row, each line owes as many values as downstream wants rows.
  private mutating func askForTheRest() {
    for (number, line) in ledger.lines.enumerated() {
      guard let asked = line.asked, asked != .unlimited else { continue }
      let owed = asked - .max(Swift.min(sent[number], asked.max ?? 0))
      if ledger.demand > owed {
        ledger.ask(number, for: ledger.demand == .unlimited ? .unlimited : ledger.demand - owed)
      }
    }
  }

  mutating func next() -> Output? {
    if ledger.isOver { return nil }
    if let row {
      self.row = nil
      isDelivering = true
      return ledger.send(row)
    }
    if let failure { return ledger.end(failure) }
    if let news, ledger.demand > .none {
      self.news = nil
      isDelivering = true
      return ledger.send(news)
    }
    return finished == latest.count && news == nil ? ledger.end(.finished) : nil
  }
}
