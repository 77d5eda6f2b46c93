internal import StreamsExtras

/// The living subscriptions as chains: each is a tree whose root is that of a consumer, with the upstreams as branches.
struct Forest {
  let summaries: [LiveSubscriptions.Summary]
  /// The positions of the roots, the oldest first.
  private(set) var roots: [Int] = []
  /// The positions of the upstreams of each.
  private(set) var branches: [[Int]]
  /// The position of the subscription below each; `nil` for roots.
  private(set) var below: [Int?]
  private(set) var totals: [Int: Totals] = [:]

  /// What is known of a whole chain.
  struct Totals {
    var valueCount = 0
    var dropCount = 0
    var lastEvent: UInt64 = 0
    var isBlocked = false
  }

  /// - Parameter summaries: The oldest first, so that a subscription is after the one below it.
  init(_ summaries: [LiveSubscriptions.Summary]) {
    self.summaries = summaries
    branches = Array(repeating: [], count: summaries.count)
    below = Array(repeating: nil, count: summaries.count)
    var positions: [Int: Int] = [:]
    var rootOf: [Int] = []
    positions.reserveCapacity(summaries.count)
    for (position, summary) in summaries.enumerated() {
      positions[summary.id] = position
      let parent = summary.parent.flatMap { positions[$0] }
      below[position] = parent
      rootOf.append(parent.map { rootOf[$0] } ?? position)
      if let parent { branches[parent].append(position) } else { roots.append(position) }
      totals[rootOf[position], default: Totals()].add(summary.numbers)
    }
  }

  /// The roots of the chains that are selected, in the order of the selection.
  func roots(for selection: Selection, now: UInt64) -> [Int] {
    let found = roots.filter { root in
      let total = totals[root]!
      let isKind =
        switch selection.kind {
        case .all: true
        case .blocked: total.isBlocked
        case .silent: total.lastEvent + 10_000_000_000 < now
        case .dropping: total.dropCount > 0
        }
      return isKind && (selection.find.isEmpty || contains(selection.find, in: root))
    }
    return switch selection.order {
    case .oldest: found
    case .newest: found.reversed()
    case .silent: sorted(found) { totals[$0]!.lastEvent < totals[$1]!.lastEvent }
    case .values: sorted(found) { totals[$0]!.valueCount > totals[$1]!.valueCount }
    case .drops: sorted(found) { totals[$0]!.dropCount > totals[$1]!.dropCount }
    }
  }

  /// The positions of a chain in the order in which values pass: upstreams before the operator that merges them. Each with
  /// the number of operators on its way to the consumer for which it is not the first upstream.
  func chain(from root: Int) -> [(position: Int, lane: Int)] {
    var (reversed, rest): ([(position: Int, lane: Int)], [(position: Int, lane: Int)]) = ([], [(root, 0)])
    while let next = rest.popLast() {
      reversed.append(next)
      for (index, branch) in branches[next.position].enumerated() {
        rest.append((branch, next.lane + (index == 0 ? 0 : 1)))
      }
    }
    return reversed.reversed()
  }

  private func contains(_ words: String, in root: Int) -> Bool {
    var rest = [root]
    while let next = rest.popLast() {
      let summary = summaries[next]
      for text in [summary.publisher, summary.subscriber, summary.name, summary.file]
      where text.lowercased().contains(words) {
        return true
      }
      rest += branches[next]
    }
    return false
  }

  /// Equal ones stay in their order.
  private func sorted(_ roots: [Int], by isBefore: (Int, Int) -> Bool) -> [Int] {
    roots.sorted { isBefore($0, $1) || (!isBefore($1, $0) && $0 < $1) }
  }
}

extension Forest.Totals {
  fileprivate mutating func add(_ numbers: LiveSubscriptions.Numbers) {
    valueCount += numbers.valueCount
    dropCount += numbers.dropCount
    lastEvent = max(lastEvent, numbers.lastEvent)
    isBlocked = isBlocked || numbers.demand == Subscribers.Demand.none
  }
}
