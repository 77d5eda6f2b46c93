internal import Streams

/// `retry`: one line after another to the same source.
struct RetryModel: Model {
  var retries: Int
  var ledger = Ledger()
  private var pending: Int?
  private var ending: Ending?

  init(_ retries: Int) { self.retries = retries }

  mutating func take(_ stimulus: Stimulus) {
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined: ledger.subscribe(to: 0)
    case .opened: ledger.ask(ledger.lines.count - 1, for: ledger.demand)
    case .asked(_, let more), .answered(_, let more): ledger.ask(ledger.lines.count - 1, for: more)
    case .value(_, let value): pending = value
    case .ended(_, let how):
      guard how != .finished, retries > 0 else { return ending = how }
      retries -= 1
      ledger.subscribe(to: 0)
    default: break
    }
  }

  mutating func next() -> Output? {
    if ledger.isOver { return nil }
    if let value = pending {
      pending = nil
      return ledger.send([value])
    }
    return ending.map { ledger.end($0) }
  }
}
