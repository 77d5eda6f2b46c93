internal import Streams

/// What serves several downstreams: `share`, `multicast` and the subjects.
struct AudienceModel: Model {
  /// When there is a connection to the source.
  enum Connection: Sendable {
    /// While there are downstreams. It is asked for everything as soon as one of them has asked.
    case whileShared
    /// The same, but once one has asked, the next connection is asked at once.
    case whileSharedRememberingDemand
    /// From the beginning. It is asked for everything as soon as one has asked.
    case always
  }

  /// One value on its way from downstream to downstream.
  private struct Round {
    let value: Int
    var downstreams: [Int]
    /// One of them has it, and has not come back.
    var isWaiting = false
  }

  let connection: Connection
  var ledger = Ledger()
  private var members: [Int] = []
  private var demands: [Int: Subscribers.Demand] = [:]
  private var isAsked = false
  private var isConnecting = false
  private var ending: Ending?
  /// The values that are being sent, the innermost last: it goes before the others.
  private var rounds: [Round] = []
  private var endings: [Int] = []

  init(_ connection: Connection) {
    self.connection = connection
    if connection == .always { ledger.subscribe(to: 0) }
  }

  private var live: Int? { ledger.lines.lastIndex { $0.isLive } }

  mutating func take(_ stimulus: Stimulus) {
    settle()
    switch stimulus {
    case .joined(let number): join(number)
    case .opened:
      _ = ledger.note(stimulus)
      isConnecting = false
      if isAsked, let live { ledger.ask(live, for: .unlimited) }
    case .asked(let number, let more), .answered(let number, let more):
      guard members.contains(number) else { return }
      demands[number, default: .none] += more
      if !isAsked, let live { ledger.ask(live, for: .unlimited) }
      isAsked = true
    case .value(_, let value): rounds.append(Round(value: value, downstreams: members))
    case .ended(_, let how):
      _ = ledger.note(stimulus)
      ending = how
      endings = members
      members = []
      rounds = []
    case .cancelled(let number): leave(number)
    case .returned:
      if !rounds.isEmpty { rounds[rounds.count - 1].isWaiting = false }
    case .arrived, .moving, .rested: break
    case .settled: if members.isEmpty { disconnect() }
    }
  }

  private mutating func join(_ number: Int) {
    if ending != nil { return endings.insert(number, at: 0) }
    members.append(number)
    guard connection != .always, live == nil, !isConnecting else { return }
    isConnecting = true
    ledger.subscribe(to: 0)
  }

  private mutating func leave(_ number: Int) {
    guard members.contains(number) else { return endings.removeAll { $0 == number } }
    members.removeAll { $0 == number }
    guard members.isEmpty, connection != .always else { return }
    if connection == .whileShared { isAsked = false }
    if isConnecting { ledger.unsubscribe() }
    isConnecting = false
    // While it is being connected, an autoconnected publisher waits for the connection before it cuts it.
    if connection == .whileShared { disconnect() }
  }

  private mutating func disconnect() {
    if connection != .always, let live { ledger.cancel(live) }
  }

  mutating func next() -> Output? {
    if let ending, !endings.isEmpty { return .ending(endings.removeFirst(), ending) }
    settle()
    guard let round = rounds.last, !round.isWaiting else { return nil }
    let number = round.downstreams[0]
    rounds[rounds.count - 1].downstreams.removeFirst()
    rounds[rounds.count - 1].isWaiting = true
    demands[number]! -= 1
    return .value(number, [round.value])
  }

  /// Passes over whoever has left, or has not asked for anything when its turn comes.
  private mutating func settle() {
    while let round = rounds.last, !round.isWaiting {
      if let number = round.downstreams.first {
        if members.contains(number), let demand = demands[number], demand > .none { return }
        rounds[rounds.count - 1].downstreams.removeFirst()
      } else {
        rounds.removeLast()
      }
    }
  }
}
