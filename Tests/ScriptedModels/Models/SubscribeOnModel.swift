internal import Streams

/// `subscribe(on:)`: what goes up goes later, what comes down comes at once.
struct SubscribeOnModel: Model {
  private enum Job: Equatable {
    case subscribe
    case ask(Subscribers.Demand)
    case cancel
  }

  var ledger = Ledger()
  private var diary = Diary<Job>()
  private var pending: Int?
  private var ending: Ending?

  mutating func take(_ stimulus: Stimulus) {
    diary.note(stimulus, &ledger.now)
    if case .cancelled = stimulus {
      if !ledger.isOver { diary.add(.cancel, at: ledger.now) }
      ledger.isOver = true
      return
    }
    if case .opened = stimulus { work() }
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined: diary.add(.subscribe, at: ledger.now)
    case .asked(_, let more): diary.add(.ask(more), at: ledger.now)
    case .answered(_, let more): ledger.ask(0, for: more)
    case .value(_, let value): pending = value
    case .ended(_, let how): ending = how
    default: break
    }
  }

  mutating func next() -> Output? {
    if !ledger.isOver {
      if let value = pending {
        pending = nil
        return ledger.send([value])
      }
      if let ending { return ledger.end(ending) }
    }
    work()
    return nil
  }

  private mutating func work() {
    while let job = diary.next(&ledger.now) {
      switch job {
      case .subscribe: ledger.subscribe(to: 0)
      case .ask(let demand): if !ledger.isOver { ledger.ask(0, for: demand) }
      case .cancel: ledger.stop()
      }
    }
  }
}
