internal import Streams

/// `CurrentValueSubject`: everybody who asks gets the latest value, once.
struct CurrentValueModel: Model {
  private struct Member {
    let number: Int
    var demand = Subscribers.Demand.none
    var hasSeen = false
  }

  var ledger = Ledger()
  private var latest: Int
  private var members: [Member] = []
  private var ending: Ending?
  /// Who is to be served, as soon as there is something new.
  private var turns: [Int] = []
  private var endings: [Int] = []

  init(_ value: Int) {
    latest = value
    ledger.subscribe(to: 0)
  }

  mutating func take(_ stimulus: Stimulus) {
    switch stimulus {
    case .joined(let number):
      if ending != nil { endings.insert(number, at: 0) } else { members.append(Member(number: number)) }
    case .opened:
      _ = ledger.note(stimulus)
      ledger.ask(0, for: .unlimited)
    case .asked(let number, let more), .answered(let number, let more):
      guard let place = place(of: number) else { return }
      members[place].demand += more
      turns.insert(number, at: 0)
    case .value(_, let value):
      latest = value
      for place in members.indices { members[place].hasSeen = false }
      turns.insert(contentsOf: members.map(\.number), at: 0)
    case .ended(_, let how):
      _ = ledger.note(stimulus)
      ending = how
      endings = members.map(\.number)
      members = []
    case .cancelled(let number):
      members.removeAll { $0.number == number }
      endings.removeAll { $0 == number }
    case .arrived, .returned, .moving, .rested, .settled: break
    }
  }

  private func place(of number: Int) -> Int? { members.firstIndex { $0.number == number } }

  mutating func next() -> Output? {
    if let ending, !endings.isEmpty { return .ending(endings.removeFirst(), ending) }
    while !turns.isEmpty {
      let number = turns.removeFirst()
      guard let place = place(of: number), !members[place].hasSeen, members[place].demand > .none else {
        continue
      }
      members[place].hasSeen = true
      members[place].demand -= 1
      return .value(number, [latest])
    }
    return nil
  }
}
