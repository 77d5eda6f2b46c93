internal import Streams

/// `measureInterval`: how long each value took.
struct IntervalModel: Model {
  var ledger = Ledger()
  private var diary = Diary<Never>()
  private var last = 0
  private var pending: Int?
  private var ending: Ending?

  mutating func take(_ stimulus: Stimulus) {
    diary.note(stimulus, &ledger.now)
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined:
      ledger.subscribe(to: 0)
      last = ledger.now
    case .asked(_, let more), .answered(_, let more): ledger.ask(0, for: more)
    case .value:
      pending = ledger.now - last
      last = ledger.now
    case .ended(_, let how): ending = how
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
