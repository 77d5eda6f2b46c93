internal import Streams

/// `collect(byTime)` and `collect(byTimeOrCount)`: a group waits until it is due and asked for.
struct GroupingModel: Model {
  private enum Job: Equatable {
    case alarm
    case send([Int])
    case end
  }

  let interval: Int
  let count: Int?
  var ledger = Ledger()
  private var diary = Diary<Job>()
  private var group: [Int] = []
  private var ending: Ending?
  /// How many groups are on their way: they have taken their part of the demand.
  private var promised = 0
  private var hasAsked = false
  /// An alarm has rung, and its group is on its way: the next interval begins afterwards.
  private var isDelivering = false

  init(_ interval: Int, count: Int? = nil) {
    self.interval = interval
    self.count = count
  }

  private var isAsked: Bool { ledger.demand > .max(promised) }

  mutating func take(_ stimulus: Stimulus) {
    diary.note(stimulus, &ledger.now)
    guard ledger.note(stimulus) else { return }
    switch stimulus {
    case .joined: ledger.subscribe(to: 0)
    case .opened: setAlarm()
    case .asked(_, let more), .answered(_, let more): ask(for: more)
    case .value(_, let value):
      group.append(value)
      if count == nil { ledger.ask(0, for: .max(1)) }
      promiseFull()
    case .ended(_, let how):
      diary.remove(.alarm)
      ending = how
      if how != .finished { group = [] }
      promiseRest()
    case .returned:
      if isDelivering, ledger.lines[0].isLive { setAlarm() }
      isDelivering = false
    default: break
    }
  }

  private mutating func ask(for more: Subscribers.Demand) {
    if let count { ledger.ask(0, for: more * count) } else if !hasAsked { ledger.ask(0, for: .max(1)) }
    hasAsked = true
    if ending == nil { promiseFull() } else { promiseRest() }
  }

  private mutating func promiseFull() {
    while let count, group.count >= count, isAsked { promise(count) }
  }

  private mutating func promiseRest() {
    while !group.isEmpty, isAsked { promise(count ?? .max) }
    diary.remove(.end)
    diary.add(.end, at: ledger.now)
  }

  private mutating func promise(_ most: Int) {
    promised += 1
    diary.add(.send(Array(group.prefix(most))), at: ledger.now)
    group = Array(group.dropFirst(most))
  }

  private mutating func setAlarm() {
    diary.remove(.alarm)
    diary.add(.alarm, at: ledger.now + interval)
  }

  mutating func next() -> Output? {
    if ledger.isOver { return nil }
    while let job = diary.next(&ledger.now) {
      switch job {
      case .alarm:
        if isAsked, !group.isEmpty {
          defer { group = [] }
          isDelivering = true
          return ledger.send(group)
        }
        setAlarm()
      case .send(let group):
        promised -= 1
        return ledger.send(group)
      case .end: if group.isEmpty, let ending { return ledger.end(ending) }
      }
    }
    return nil
  }
}
