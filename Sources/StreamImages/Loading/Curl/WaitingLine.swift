/// Who may start when only so many may run, and only so many of a kind.
///
/// Those of one kind start in the order they came, or the other way round, the more urgent before the others; so do all,
/// as far as their kinds let them. Members of a kind that shares count as one among all.
///
/// - Complexity: Admitting looks at each kind, not at each member.
package struct WaitingLine<Kind: Hashable, Member: Equatable> {
  /// How many of a kind may run.
  package struct Width: Equatable {
    package var count: Int
    /// Whether they share what `overall` counts: a connection.
    package var isShared = false

    package init(_ count: Int, isShared: Bool = false) {
      self.count = max(1, count)
      self.isShared = isShared
    }
  }

  private let perKind: Int
  private let overall: Int
  private let isNewestFirst: Bool
  private var lastTicket = 0
  /// Of the kinds of which somebody runs or waits.
  private var lanes: [Kind: Lane] = [:]
  private var waitingCount = 0
  /// Of the running, those who share counted as one.
  private var takenCount = 0

  /// The later, the sooner it is its turn.
  private struct Place: Comparable {
    let urgency: Int
    let order: Int

    static func < (left: Place, right: Place) -> Bool {
      (left.urgency, left.order) < (right.urgency, right.order)
    }
  }

  private struct Lane {
    var width: Width
    var running = 0
    /// The next one is the last.
    var waiting: [(place: Place, member: Member)] = []
    var isOver: Bool { running == 0 && waiting.isEmpty }

    /// Keeps the order: by halves, as there may be hundreds.
    mutating func insert(_ member: Member, at place: Place) {
      var (low, high) = (0, waiting.count)
      while low < high {
        let middle = (low + high) / 2
        if waiting[middle].place < place { low = middle + 1 } else { high = middle }
      }
      waiting.insert((place, member), at: low)
    }

    var taken: Int { width.isShared ? min(1, running) : running }
  }

  package init(perKind: Int, overall: Int, isNewestFirst: Bool = false) {
    self.isNewestFirst = isNewestFirst
    self.perKind = max(1, perKind)
    self.overall = max(1, overall)
  }

  /// Puts one into the line, or, with its ticket, back to where it was.
  ///
  /// - Parameter width: Of the kind, if nobody of it is here.
  /// - Returns: Its ticket.
  @discardableResult
  package mutating func add(
    _ member: Member, of kind: Kind, urgency: Int = 0, width: Width? = nil, ticket: Int? = nil
  ) -> Int {
    if ticket == nil { lastTicket += 1 }
    let ticket = ticket ?? lastTicket
    let place = Place(urgency: urgency, order: isNewestFirst ? ticket : -ticket)
    lanes[kind, default: Lane(width: width ?? Width(perKind))].insert(member, at: place)
    waitingCount += 1
    return ticket
  }

  /// The next who may start; it counts as running from now on.
  package mutating func admit() -> Member? {
    guard waitingCount > 0 else { return nil }
    var first: (index: Dictionary<Kind, Lane>.Index, place: Place)?
    for index in lanes.indices {
      let lane = lanes.values[index]
      let hasRoom = takenCount < overall || (lane.width.isShared && lane.running > 0)
      guard hasRoom, lane.running < lane.width.count, let next = lane.waiting.last else { continue }
      if first.map({ $0.place < next.place }) ?? true { first = (index, next.place) }
    }
    guard let index = first?.index else { return nil }
    count(at: index) { $0.running += 1 }
    waitingCount -= 1
    return lanes.values[index].waiting.removeLast().member
  }

  /// One of the running has ended.
  package mutating func release(_ kind: Kind) {
    guard let index = lanes.index(forKey: kind) else { return }
    count(at: index) { $0.running -= 1 }
    if lanes.values[index].isOver { lanes.remove(at: index) }
  }

  /// One of the waiting gives up.
  package mutating func remove(_ member: Member, of kind: Kind) {
    guard let index = lanes.index(forKey: kind) else { return }
    let before = lanes.values[index].waiting.count
    lanes.values[index].waiting.removeAll { $0.member == member }
    waitingCount -= before - lanes.values[index].waiting.count
    if lanes.values[index].isOver { lanes.remove(at: index) }
  }

  package func runningCount(of kind: Kind) -> Int { lanes[kind]?.running ?? 0 }

  /// Lets more or fewer of a kind run from now on, as long as somebody of it is here. Nobody who runs is stopped.
  package mutating func setWidth(_ width: Width, of kind: Kind) {
    guard let index = lanes.index(forKey: kind) else { return }
    count(at: index) { $0.width = width }
  }

  private mutating func count(at index: Dictionary<Kind, Lane>.Index, _ change: (inout Lane) -> Void) {
    takenCount -= lanes.values[index].taken
    change(&lanes.values[index])
    takenCount += lanes.values[index].taken
  }
}
