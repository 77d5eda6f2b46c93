internal import Streams

/// An operator that makes of a list of values another one.
///
/// The rule is a function of everything that has come and, if it has, the end. It is asked anew each time, for the
/// whole: what it answers beyond what was sent already is owed, as far as there is demand.
struct ListModel: Model {
  /// What upstream is asked for.
  enum Asking {
    /// As much as downstream asks for, so many times, and one more for each value that makes none.
    case asDownstream(times: Int = 1)
    case everything
    /// As much as downstream asks for, and so many more with the first request.
    case inAdvance(Int)
  }

  typealias Rule = (_ values: [Int], _ ending: Ending?) -> (values: [[Int]], ending: Ending?)

  let asking: Asking
  let rule: Rule
  var ledger = Ledger()
  private var values: [Int] = []
  private var ending: Ending?
  private var sent = 0
  private var skipped = 0
  /// Whether the next value is the last.
  private var isEnding = false

  init(_ asking: Asking = .asDownstream(), _ rule: @escaping Rule) {
    self.asking = asking
    self.rule = rule
  }

  mutating func take(_ stimulus: Stimulus) {
    guard ledger.note(stimulus), !isEnding else { return }
    switch (stimulus, asking) {
    case (.joined, _): ledger.subscribe(to: 0)
    case (.opened, .everything): ledger.ask(0, for: .unlimited)
    case (.opened, .inAdvance(let count)): ledger.ask(0, for: ledger.demanded + count)
    case (.asked(_, let more), .inAdvance), (.answered(_, let more), .inAdvance): ledger.ask(0, for: more)
    case (.asked(_, let more), .asDownstream(let times)),
      (.answered(_, let more), .asDownstream(let times)):
      ledger.ask(0, for: more * times)
    case (.value(_, let value), _):
      values.append(value)
      let (list, ending) = rule(values, nil)
      if ending != nil {
        // A value that is passed on comes before the cancellation, a result after it.
        if case .everything = asking { ledger.cancel(0) } else { isEnding = true }
        return
      }
      if case .asDownstream(1) = asking { replaceSkipped(values.count - list.count) }
    case (.ended(_, let how), _): ending = how
    default: break
    }
  }

  mutating func next() -> Output? {
    if ledger.isOver { return nil }
    let (list, ending) = rule(values, self.ending)
    if sent < list.count {
      if ledger.demand == .none { return nil }
      sent += 1
      return ledger.send(list[sent - 1])
    }
    return ending.map { ledger.end($0) }
  }

  private mutating func replaceSkipped(_ count: Int) {
    ledger.ask(0, for: .max(count - skipped))
    skipped = count
  }
}
