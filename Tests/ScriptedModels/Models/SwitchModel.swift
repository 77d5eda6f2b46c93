internal import Streams

/// `switchToLatest`: the first line is the outer upstream, the others are children.
struct SwitchModel: Model {
  var ledger = Ledger()
  private var current: Int?
  private var pending: Int?
  private var isOuterFinished = false
  private var failure: Ending?

  mutating func take(_ stimulus: Stimulus) {
    guard ledger.note(stimulus) else { return }
    let newest = ledger.lines.count - 1
    switch stimulus {
    case .joined: ledger.subscribe(to: 0)
    case .opened where newest == 0: ledger.ask(0, for: .unlimited)
    case .opened:
      current = newest
      ledger.ask(newest, for: ledger.demand)
    case .asked(_, let more), .answered(_, let more): if let current { ledger.ask(current, for: more) }
    case .value(0, let value):
      if let current { ledger.cancel(current) }
      current = newest + 1
      ledger.subscribe(to: 1 + value % 2)
    case .value(_, let value): pending = value
    case .ended(0, .finished): isOuterFinished = true
    case .ended(_, .finished): current = nil
    case .ended(_, let how): failure = how
    default: break
    }
  }

  mutating func next() -> Output? {
    if ledger.isOver { return nil }
    if let value = pending {
      pending = nil
      return ledger.send([value])
    }
    if let failure { return ledger.end(failure) }
    return isOuterFinished && current == nil ? ledger.end(.finished) : nil
  }
}
