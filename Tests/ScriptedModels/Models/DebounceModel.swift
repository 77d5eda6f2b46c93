internal import Streams

/// `debounce`: a value that no other follows in time.
struct DebounceModel: Model {
  private enum Job: Equatable {
    case alarm
    case ending(Ending)
  }

  let silence: Int
  var ledger = Ledger()
  private var diary = Diary<Job>()
  private var latest: Int?

  init(_ silence: Int) { self.silence = silence }

  mutating func take(_ stimulus: Stimulus) {
    diary.note(stimulus, &ledger.now)
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined: ledger.subscribe(to: 0)
    case .opened: ledger.ask(0, for: .unlimited)
    case .value(_, let value):
      latest = value
      diary.remove(.alarm)
      diary.add(.alarm, at: ledger.now + silence)
    case .ended(_, let how):
      diary.remove(.alarm)
      diary.add(.ending(how), at: ledger.now)
    default: break
    }
  }

  mutating func next() -> Output? {
    while !ledger.isOver, let job = diary.next(&ledger.now) {
      switch job {
      case .alarm: if let latest, ledger.demand > .none { return ledger.send([latest]) }
      case .ending(let how): return ledger.end(how)
      }
    }
    return nil
  }
}
