/// Decides which loads may start, with a limit for each kind and a total limit.
///
/// Loads start in order of priority and, within a priority, of arrival or the reverse, as far as the limits of their
/// kinds allow. Loads of a kind that shares a connection count as one towards the total. Kinds that have never had a connection
/// share half of it, apart from one place for each, so that dead hosts leave room for the others.
///
/// - Complexity: Admitting is linear in the number of kinds, not of members.
package struct ConnectionQueue<Kind: Hashable, Member: Equatable> {
  /// How many members of a kind may run.
  package struct Width: Equatable {
    package var count: Int
    /// Whether they share a connection, which counts as one towards the total.
    package var isShared: Bool
    /// Whether none has had a connection yet.
    package var isNew: Bool

    package init(_ count: Int, isShared: Bool = false, isNew: Bool = false) {
      self.count = max(1, count)
      (self.isShared, self.isNew) = (isShared, isNew)
    }
  }

  private let perKind: Int
  private let overall: Int
  private let isNewestFirst: Bool
  private var lastTicket = 0
  /// The kinds with running or waiting members.
  private var lanes: [Kind: Lane] = [:]

  /// The position in the queue. The greatest is the next.
  private typealias Place = (priority: Int, order: Int)

  private struct Lane {
    var width: Width
    var running = 0
    /// Sorted; the last one is the next.
    var waiting: [(place: Place, member: Member)] = []

    /// Inserts by binary search, because there may be hundreds.
    mutating func insert(_ member: Member, at place: Place) {
      var (low, high) = (0, waiting.count)
      while low < high {
        let middle = (low + high) / 2
        if waiting[middle].place < place { low = middle + 1 } else { high = middle }
      }
      waiting.insert((place, member), at: low)
    }

    /// The number of running members, where those that share count as one.
    var taken: Int { width.isShared ? min(1, running) : running }
  }

  package init(perKind: Int, overall: Int, isNewestFirst: Bool = false) {
    self.isNewestFirst = isNewestFirst
    self.perKind = perKind
    self.overall = max(1, overall)
  }

  /// Adds a member, or returns one to its earlier position with its ticket.
  ///
  /// - Parameter width: The limit of the kind, used if it has no other member.
  /// - Returns: The ticket.
  @discardableResult
  package mutating func add(
    _ member: Member, of kind: Kind, priority: Int = 0, width: Width? = nil, ticket: Int? = nil
  ) -> Int {
    lastTicket += 1
    let ticket = ticket ?? lastTicket
    let place = Place(priority: priority, order: isNewestFirst ? ticket : -ticket)
    lanes[kind, default: Lane(width: width ?? Width(perKind))].insert(member, at: place)
    return ticket
  }

  /// Takes the next member that may start, and counts it as running.
  package mutating func admit() -> Member? {
    let takenCount = lanes.values.reduce(0) { $0 + $1.taken }
    let newCount = lanes.values.reduce(0) { $0 + ($1.width.isNew ? $1.taken : 0) }
    var first: (index: Dictionary<Kind, Lane>.Index, place: Place)?
    for index in lanes.indices {
      let lane = lanes.values[index]
      let isFree = !lane.width.isNew || lane.running == 0 || newCount < overall / 2
      let hasPlace = takenCount < overall && isFree
      let hasRoom = hasPlace || (lane.width.isShared && lane.running > 0)
      guard hasRoom, lane.running < lane.width.count, let next = lane.waiting.last else { continue }
      if first.map({ $0.place < next.place }) ?? true { first = (index, next.place) }
    }
    guard let index = first?.index else { return nil }
    lanes.values[index].running += 1
    return lanes.values[index].waiting.removeLast().member
  }

  /// Counts a running member as ended.
  package mutating func release(_ kind: Kind) { change(kind) { $0.running -= 1 } }

  /// Removes a waiting member.
  package mutating func remove(_ member: Member, of kind: Kind) {
    change(kind) { $0.waiting.removeAll { $0.member == member } }
  }

  private mutating func change(_ kind: Kind, _ body: (inout Lane) -> Void) {
    guard let index = lanes.index(forKey: kind) else { return }
    body(&lanes.values[index])
    let lane = lanes.values[index]
    if lane.running == 0, lane.waiting.isEmpty { lanes.remove(at: index) }
  }

  package func runningCount(of kind: Kind) -> Int { lanes[kind]?.running ?? 0 }

  /// Changes the limit of a kind, if it has members. Running members continue.
  package mutating func setWidth(_ width: Width, of kind: Kind) { lanes[kind]?.width = width }
}
