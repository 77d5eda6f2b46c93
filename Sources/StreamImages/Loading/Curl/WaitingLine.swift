/// Who may start when only so many may run, and only so many of a kind.
///
/// Those of one kind start in the order they came, or the other way round; so do all, as far as their kinds let them.
///
/// - Complexity: Admitting looks at each kind, not at each member.
package struct WaitingLine<Kind: Hashable, Member: Equatable> {
  private let perKind: Int
  private let overall: Int
  private let isNewestFirst: Bool
  private var ticket = 0
  /// Of the kinds of which somebody runs or waits.
  private var lanes: [Kind: Lane] = [:]
  private var runningCount = 0
  private var waitingCount = 0

  private struct Lane {
    var running = 0
    var waiting: [(ticket: Int, member: Member)] = []
    var isOver: Bool { running == 0 && waiting.isEmpty }
  }

  package init(perKind: Int, overall: Int, isNewestFirst: Bool = false) {
    self.isNewestFirst = isNewestFirst
    self.perKind = max(1, perKind)
    self.overall = max(1, overall)
  }

  package mutating func add(_ member: Member, of kind: Kind) {
    lanes[kind, default: Lane()].waiting.append((ticket, member))
    ticket += 1
    waitingCount += 1
  }

  /// The next who may start; it counts as running from now on.
  package mutating func admit() -> Member? {
    guard runningCount < overall, waitingCount > 0 else { return nil }
    var first: (place: Dictionary<Kind, Lane>.Index, ticket: Int)?
    for place in lanes.indices {
      let lane = lanes.values[place]
      guard lane.running < perKind, let next = isNewestFirst ? lane.waiting.last : lane.waiting.first else {
        continue
      }
      let ticket = isNewestFirst ? -next.ticket : next.ticket
      if ticket < first?.ticket ?? .max { first = (place, ticket) }
    }
    guard let place = first?.place else { return nil }
    lanes.values[place].running += 1
    runningCount += 1
    waitingCount -= 1
    return isNewestFirst
      ? lanes.values[place].waiting.removeLast().member : lanes.values[place].waiting.removeFirst().member
  }

  /// One of the running has ended.
  package mutating func release(_ kind: Kind) {
    guard let place = lanes.index(forKey: kind), lanes.values[place].running > 0 else { return }
    lanes.values[place].running -= 1
    runningCount -= 1
    if lanes.values[place].isOver { lanes.remove(at: place) }
  }

  /// One of the waiting gives up.
  package mutating func remove(_ member: Member, of kind: Kind) {
    guard let place = lanes.index(forKey: kind) else { return }
    let before = lanes.values[place].waiting.count
    lanes.values[place].waiting.removeAll { $0.member == member }
    waitingCount -= before - lanes.values[place].waiting.count
    if lanes.values[place].isOver { lanes.remove(at: place) }
  }
}
