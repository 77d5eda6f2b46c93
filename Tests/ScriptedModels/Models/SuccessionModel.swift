internal import Streams

/// Upstreams one after another: `append`, `prepend`, `catch`, `replaceEmpty` and so on.
struct SuccessionModel: Model {
  /// What follows when an upstream has ended.
  enum Following: Sendable {
    case end(Ending)
    /// The operator subscribes to another source.
    case source
    /// This value, and then the end.
    case value(Int)
  }

  typealias Plan = (_ number: Int, _ ending: Ending, _ wasEmpty: Bool) -> Following

  let plan: Plan
  var ledger = Ledger()
  private var isEmpty = true
  private var pending: Int?
  private var last: Int?
  private var ending: Ending?

  init(_ plan: @escaping Plan) { self.plan = plan }

  mutating func take(_ stimulus: Stimulus) {
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined: ledger.subscribe(to: 0)
    case .opened: ledger.ask(ledger.lines.count - 1, for: ledger.demand)
    case .asked(_, let more), .answered(_, let more): ledger.ask(ledger.lines.count - 1, for: more)
    case .value(_, let value):
      pending = value
      isEmpty = false
    case .ended(let line, let how):
      switch plan(line, how, isEmpty) {
      case .end(let ending): self.ending = ending
      case .source: ledger.subscribe(to: line + 1)
      case .value(let value): last = value
      }
    default: break
    }
  }

  mutating func next() -> Output? {
    if ledger.isOver { return nil }
    if let value = pending {
      pending = nil
      return ledger.send([value])
    }
    if let value = last, ledger.demand > .none {
      last = nil
      ending = .finished
      return ledger.send([value])
    }
    return ending.map { ledger.end($0) }
  }
}
