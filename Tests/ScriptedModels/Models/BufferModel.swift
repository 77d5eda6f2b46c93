internal import Streams

/// `buffer`: a list of what nobody has asked for yet.
struct BufferModel: Model {
  enum Full: Sendable { case dropsNewest, dropsOldest, fails }

  let size: Int
  let keepsFull: Bool
  let whenFull: Full
  var ledger = Ledger()
  private var kept: [Int] = []
  private var ending: Ending?
  /// Deliveries under way, first that of the subscription: what comes meanwhile needs room, even if it is asked for.
  private var deliveries = 1
  /// It has failed for want of room. What is kept waits for demand, and the failure for that.
  private var isOverflown = false

  init(_ size: Int, keepsFull: Bool, _ whenFull: Full) {
    self.size = size
    self.keepsFull = keepsFull
    self.whenFull = whenFull
  }

  mutating func take(_ stimulus: Stimulus) {
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined: ledger.subscribe(to: 0)
    case .opened: ledger.ask(0, for: keepsFull ? .max(size) : .unlimited)
    case .value(_, let value): keep(value)
    case .ended(_, let how): ending = how
    case .asked, .answered: isOverflown = false
    case .arrived, .returned:
      deliveries -= 1
      isOverflown = false
    default: break
    }
  }

  private mutating func keep(_ value: Int) {
    if ending != nil { return }
    if kept.count < size || kept.isEmpty && ledger.demand > .none && deliveries == 0 {
      return kept.append(value)
    }
    switch whenFull {
    case .dropsNewest: break
    case .dropsOldest:
      guard size > 0 else { return }
      kept.removeFirst()
      kept.append(value)
    case .fails:
      ending = .failed(9)
      isOverflown = !kept.isEmpty
      ledger.cancel(0)
    }
  }

  mutating func next() -> Output? {
    if ledger.isOver { return nil }
    if !kept.isEmpty, ledger.demand > .none {
      if keepsFull { ledger.ask(0, for: .max(1)) }
      deliveries += 1
      return ledger.send([kept.removeFirst()])
    }
    guard let ending, deliveries == 0, !isOverflown else { return nil }
    return kept.isEmpty || ending != .finished ? ledger.end(ending) : nil
  }
}
