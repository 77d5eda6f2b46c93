/// Who may start when only so many may run, and only so many of a kind.
///
/// Those of one kind start in the order they came, or the other way round; so do all, as far as their kinds let them.
///
/// - Complexity: Admitting looks at each kind that waits, not at each member.
package struct WaitingLine<Kind: Hashable & Sendable, Member: Hashable & Sendable>: Sendable {
  private let perKind: Int
  private let overall: Int
  private let isNewestFirst: Bool
  private var ticket = 0
  private var running: [Kind: Int] = [:]
  private var runningCount = 0
  private var waiting: [Kind: [(ticket: Int, member: Member)]] = [:]

  package init(perKind: Int, overall: Int, isNewestFirst: Bool = false) {
    self.isNewestFirst = isNewestFirst
    self.perKind = max(1, perKind)
    self.overall = max(1, overall)
  }

  package mutating func add(_ member: Member, of kind: Kind) {
    waiting[kind, default: []].append((ticket, member))
    ticket += 1
  }

  /// The next who may start; it counts as running from now on.
  package mutating func admit() -> Member? {
    guard runningCount < overall else { return nil }
    var first: (kind: Kind, ticket: Int)?
    for (kind, members) in waiting where running[kind, default: 0] < perKind {
      let ticket = isNewestFirst ? -members.last!.ticket : members[0].ticket
      if ticket < first?.ticket ?? .max { first = (kind, ticket) }
    }
    guard let kind = first?.kind else { return nil }
    let member = isNewestFirst ? waiting[kind]?.removeLast().member : waiting[kind]?.removeFirst().member
    if waiting[kind]?.isEmpty == true { waiting[kind] = nil }
    running[kind, default: 0] += 1
    runningCount += 1
    return member
  }

  /// One of the running has ended.
  package mutating func release(_ kind: Kind) {
    guard let count = running[kind] else { return }
    running[kind] = count == 1 ? nil : count - 1
    runningCount -= 1
  }

  /// One of the waiting gives up.
  package mutating func remove(_ member: Member, of kind: Kind) {
    waiting[kind]?.removeAll { $0.member == member }
    if waiting[kind]?.isEmpty == true { waiting[kind] = nil }
  }
}
