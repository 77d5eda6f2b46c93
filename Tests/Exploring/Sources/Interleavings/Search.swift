/// An exhaustive search: which choice was made at each point where there was one, and what is left to try.
struct Search {
  private struct Choice {
    var pick: UInt8
    let count: UInt8
  }

  private var choices: [Choice] = []
  private var position = 0

  init() { choices.reserveCapacity(1024) }

  init(replaying picks: [UInt8]) { choices = picks.map { Choice(pick: $0, count: 0) } }

  var picks: [UInt8] { choices[..<position].map(\.pick) }

  mutating func rewind() { position = 0 }

  /// The pick among `count`. `nil` if there were not as many the last time: then the scenario is not the same each time.
  mutating func pick(among count: Int) -> Int? {
    if position == choices.count { choices.append(Choice(pick: 0, count: UInt8(count))) }
    let choice = choices[position]
    guard choice.count == 0 || choice.count == UInt8(count), choice.pick < count else { return nil }
    position += 1
    return Int(choice.pick)
  }

  /// Turns to the next schedule, of which nothing is picked yet. False if there is none.
  mutating func advance() -> Bool {
    choices.removeLast(choices.count - position)
    position = 0
    while let last = choices.last {
      if last.pick + 1 < last.count {
        choices[choices.count - 1].pick += 1
        return true
      }
      choices.removeLast()
    }
    return false
  }
}
