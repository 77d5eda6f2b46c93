internal import Streams

/// `receive(on:)` and `delay`: everything comes so much later.
struct HopModel: Model {
  private enum Job: Equatable {
    case value(Int)
    case ending(Ending)
  }

  let delay: Int
  var ledger = Ledger()
  private var diary = Diary<Job>()

  init(_ delay: Int) { self.delay = delay }

  mutating func take(_ stimulus: Stimulus) {
    diary.note(stimulus, &ledger.now)
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined: ledger.subscribe(to: 0)
    case .asked(_, let more), .answered(_, let more): ledger.ask(0, for: more)
    case .value(_, let value): diary.add(.value(value), at: ledger.now + delay)
    case .ended(_, let how): diary.add(.ending(how), at: ledger.now + delay)
    default: break
    }
  }

  mutating func next() -> Output? {
    guard !ledger.isOver, let job = diary.next(&ledger.now) else { return nil }
    switch job {
    case .value(let value): return ledger.send([value])
    case .ending(let how): return ledger.end(how)
    }
  }
}
