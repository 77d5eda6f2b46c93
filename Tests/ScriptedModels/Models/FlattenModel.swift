internal import Streams

/// `flatMap` and `merge`: each child may have one value waiting.
struct FlattenModel: Model {
  /// How many children at a time; `nil` if there is no outer upstream, and all children are there from the start.
  let most: Subscribers.Demand?
  /// How many children must end, if all are known.
  let expected: Int
  var ledger = Ledger()
  private var waiting: [(line: Int, value: Int)] = []
  private var open = 0
  private var ended = 0
  private var isOuterFinished = false
  private var failure: Ending?

  static func flatMap(_ most: Subscribers.Demand) -> Self { Self(most: most, expected: 0) }
  static func merge(_ count: Int) -> Self { Self(most: nil, expected: count) }

  private init(most: Subscribers.Demand?, expected: Int) {
    self.most = most
    self.expected = expected
  }

  mutating func take(_ stimulus: Stimulus) {
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined: for source in 0..<(most == nil ? expected : 1) { ledger.subscribe(to: source) }
    case .opened:
      let line = ledger.lines.count - 1
      if let most, line == 0 { return ledger.ask(0, for: most) }
      ledger.ask(line, for: ledger.demand == .unlimited ? .unlimited : .max(1))
    case .asked where ledger.demand == .unlimited, .answered where ledger.demand == .unlimited:
      for line in ledger.lines.indices where !isOuter(line) { ledger.ask(line, for: .unlimited) }
    case .value(let line, let value) where isOuter(line):
      open += 1
      ledger.subscribe(to: 1 + value % 2)
    case .value(let line, let value): waiting.append((line, value))
    case .ended(let line, .finished) where isOuter(line): isOuterFinished = true
    case .ended(_, .finished):
      ended += 1
      if most != nil { ledger.ask(0, for: .max(1)) }
    case .ended(_, let how): failure = how
    default: break
    }
  }

  private func isOuter(_ line: Int) -> Bool { most != nil && line == 0 }

  mutating func next() -> Output? {
    if ledger.isOver { return nil }
    if let failure { return ledger.end(failure) }
    if ledger.demand > .none, !waiting.isEmpty {
      let (line, value) = waiting.removeFirst()
      ledger.ask(line, for: .max(1))
      return ledger.send([value])
    }
    let isDone = most == nil ? ended == expected : isOuterFinished && ended == open
    return isDone && waiting.isEmpty ? ledger.end(.finished) : nil
  }
}
