internal import Streams

/// `throttle`: one value in each interval.
struct ThrottleModel: Model {
  private enum Job: Equatable { case send }

  let interval: Int
  let showsLatest: Bool
  var ledger = Ledger()
  private var diary = Diary<Job>()
  private var waiting: Int?
  private var lastSent: Int?
  private var completion: Ending?
  /// The end that comes with the value that is sent.
  private var ending: Ending?

  init(_ interval: Int, latest: Bool) {
    self.interval = interval
    showsLatest = latest
  }

  mutating func take(_ stimulus: Stimulus) {
    diary.note(stimulus, &ledger.now)
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined: ledger.subscribe(to: 0)
    case .opened: ledger.ask(0, for: .unlimited)
    case .value(_, let value) where ledger.demand > .none:
      if waiting == nil { diary.add(.send, at: max(ledger.now, lastSent.map { $0 + interval } ?? 0)) }
      if waiting == nil || showsLatest { waiting = value }
    case .ended(_, let how):
      completion = how
      if waiting == nil { diary.add(.send, at: ledger.now) }
    default: break
    }
  }

  mutating func next() -> Output? {
    if ledger.isOver { return nil }
    if let ending { return ledger.end(ending) }
    while diary.next(&ledger.now) != nil {
      ending = completion
      if let value = waiting {
        waiting = nil
        lastSent = ledger.now
        return ledger.send([value])
      }
      if let ending { return ledger.end(ending) }
    }
    return nil
  }
}
