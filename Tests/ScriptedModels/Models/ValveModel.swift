internal import Streams

/// `drop(untilOutputFrom:)` and `prefix(untilOutputFrom:)`: source 0 sends the values, source 1 opens or closes.
struct ValveModel: Model {
  let opens: Bool
  var ledger = Ledger()
  private var isOpen: Bool
  private var pending: Int?
  private var ending: Ending?

  init(opens: Bool) {
    self.opens = opens
    isOpen = !opens
  }

  mutating func take(_ stimulus: Stimulus) {
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined:
      ledger.subscribe(to: 1)
      ledger.subscribe(to: 0)
    case .opened(let source):
      ledger.ask(ledger.lines.count - 1, for: source == 1 ? .max(1) : ledger.demanded)
    case .asked(_, let more), .answered(_, let more):
      for line in ledger.lines.indices where ledger.lines[line].source == 0 { ledger.ask(line, for: more) }
    case .value(let line, _) where ledger.lines[line].source == 1:
      ledger.cancel(line)
      if opens { isOpen = true } else { ending = .finished }
    case .value(_, let value): if isOpen { pending = value }
    case .ended(let line, let how):
      if ledger.lines[line].source == 0 || opens && !isOpen { ending = how }
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
