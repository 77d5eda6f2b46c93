internal import Streams

/// `timeout`: an alarm that every value puts off.
struct TimeoutModel: Model {
  private enum Job: Equatable {
    case alarm
    case value(Int)
    case ending(Ending)
  }

  let interval: Int
  let ending: Ending
  var ledger = Ledger()
  private var diary = Diary<Job>()
  private var hasAsked = false

  init(_ interval: Int, _ ending: Ending) {
    self.interval = interval
    self.ending = ending
  }

  mutating func take(_ stimulus: Stimulus) {
    diary.note(stimulus, &ledger.now)
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined: ledger.subscribe(to: 0)
    case .opened: stir()
    case .asked(_, let more), .answered(_, let more):
      if !hasAsked, ledger.lines[0].isLive { stir() }
      hasAsked = true
      ledger.ask(0, for: more)
    case .value(_, let value):
      stir()
      diary.add(.value(value), at: ledger.now)
    case .ended(_, let how):
      diary.remove(.alarm)
      diary.add(.ending(how), at: ledger.now)
    default: break
    }
  }

  private mutating func stir() {
    diary.remove(.alarm)
    diary.add(.alarm, at: ledger.now + interval)
  }

  mutating func next() -> Output? {
    while !ledger.isOver, let job = diary.next(&ledger.now) {
      switch job {
      case .alarm:
        ledger.cancel(0)
        diary.add(.ending(ending), at: ledger.now)
      case .value(let value): return ledger.send([value])
      case .ending(let how): return ledger.end(how)
      }
    }
    return nil
  }
}
