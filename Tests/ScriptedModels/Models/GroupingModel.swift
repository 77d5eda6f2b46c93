internal import Streams

/// `collect(byTime)` and `collect(byTimeOrCount)`.
struct GroupingModel: Model {
  private enum Job: Equatable {
    case alarm
    case send([Int])
    case ending(Ending, [Int])
  }

  let interval: Int
  let count: Int?
  var ledger = Ledger()
  private var diary = Diary<Job>()
  private var group: [Int] = []
  private var ending: Ending?
  /// An alarm has rung, and its group is on its way: the next interval begins afterwards.
  private var isDelivering = false

  init(_ interval: Int, count: Int? = nil) {
    self.interval = interval
    self.count = count
  }

  mutating func take(_ stimulus: Stimulus) {
    let wasAsked = ledger.demand > .none
    diary.note(stimulus, &ledger.now)
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined: ledger.subscribe(to: 0)
    case .opened: setAlarm()
    case .asked(_, let more):
      if let count { ledger.ask(0, for: more * count) } else if !wasAsked { ledger.ask(0, for: .max(1)) }
    case .answered(_, let more): if let count { ledger.ask(0, for: more * count) }
    case .value(_, let value): append(value)
    case .ended(_, let how):
      diary.remove(.alarm)
      diary.add(.ending(how, group), at: ledger.now)
      group = []
    case .returned:
      if isDelivering, ledger.lines[0].isLive { setAlarm() }
      isDelivering = false
    default: break
    }
  }

  private mutating func append(_ value: Int) {
    group.append(value)
    guard let count else { return ledger.ask(0, for: .max(1)) }
    if group.count < count { return }
    setAlarm()
    diary.add(.send(group), at: ledger.now)
    group = []
  }

  private mutating func setAlarm() {
    diary.remove(.alarm)
    diary.add(.alarm, at: ledger.now + interval)
  }

  mutating func next() -> Output? {
    if ledger.isOver { return nil }
    if let ending { return ledger.end(ending) }
    while let job = diary.next(&ledger.now) {
      switch job {
      case .alarm:
        if ledger.demand > .none, !group.isEmpty {
          defer { group = [] }
          isDelivering = true
          return ledger.send(group)
        }
        setAlarm()
      case .send(let group): if ledger.demand > .none { return ledger.send(group) }
      case .ending(let how, let rest):
        guard how == .finished, !rest.isEmpty, ledger.demand > .none else { return ledger.end(how) }
        ending = how
        return ledger.send(rest)
      }
    }
    return nil
  }
}
