import StreamImages
import Testing

/// The queue beside a plain list, and what it makes of numbers that are too small.
@Suite("Bounds of the connection queue") struct ConnectionQueueModelTests {
  private typealias Queue = ConnectionQueue<Int, Int>

  private func admitted(_ queue: inout Queue) -> [Int] {
    var members: [Int] = []
    while let next = queue.admit() { members.append(next) }
    return members
  }

  @Test("A limit below one counts as one, and loads share a connection only if the limit says so")
  func limits() {
    for (count, limit) in [(-1, 1), (0, 1), (1, 1), (2, 2), (3, 3)] {
      #expect(Queue.Width(count) == Queue.Width(limit, isShared: false, isNew: false))
      #expect(Queue.Width(count).count == limit)
      for (perKind, overall) in [(count, 10), (10, count)] {
        var queue = Queue(perKind: perKind, overall: overall)
        for member in 0..<5 { queue.add(member, of: 0) }

        let members = admitted(&queue)

        #expect(members == Array(0..<limit))
        #expect(queue.runningCount(of: 0) == limit && queue.runningCount(of: 1) == 0)
      }
    }
  }

  @Test("A member without a priority is as urgent as one of priority zero")
  func usualPriority() {
    var queue = Queue(perKind: 10, overall: 10)
    queue.add(0, of: 0, priority: 0)
    queue.add(1, of: 0)
    queue.add(2, of: 0, priority: 1)
    queue.add(3, of: 0, priority: -1)

    let members = admitted(&queue)

    #expect(members == [2, 0, 1, 3])
  }

  @Test("A member with the ticket of another one starts after it", arguments: [false, true])
  func sameTicket(isNewestFirst: Bool) {
    var queue = Queue(perKind: 10, overall: 10, isNewestFirst: isNewestFirst)
    let ticket = queue.add(0, of: 0)
    for member in 1..<4 { queue.add(member, of: 0, ticket: ticket) }

    let members = admitted(&queue)

    #expect(members == [0, 1, 2, 3])
  }

  @Test("A kind keeps its limit while it has members, and then takes that of its next one")
  func kept() {
    for isRemoved in [false, true] {
      var queue = Queue(perKind: 5, overall: 10)
      for member in 0..<2 { queue.add(member, of: 0, width: Queue.Width(1)) }
      queue.add(2, of: 0, width: Queue.Width(3))
      let first = admitted(&queue)
      queue.remove(1, of: 0)
      queue.remove(2, of: 0)
      if isRemoved {
        // The last member is one that waits.
        queue.add(3, of: 0)
        queue.release(0)
        queue.remove(3, of: 0)
      } else {
        queue.release(0)
      }
      for member in 4..<8 { queue.add(member, of: 0, width: Queue.Width(3)) }

      let second = admitted(&queue)

      #expect(first == [0] && second == [4, 5, 6])
    }
  }

  @Test("Kinds that have no members can be released, changed and searched without effect")
  func unknown() {
    var queue = Queue(perKind: 1, overall: 1)
    queue.release(7)
    queue.setWidth(Queue.Width(5), of: 7)
    queue.remove(0, of: 7)
    for member in 0..<3 { queue.add(member, of: 7) }

    let members = admitted(&queue)

    #expect(members == [0])
  }

  @Test("Kinds that are new have a place each, and share half of the others until they are not new any more")
  func new() {
    for (overall, ofTwo) in [(1, 1), (2, 2), (3, 2), (4, 2), (5, 2), (6, 3), (10, 5)] {
      var line = Queue(perKind: 9, overall: overall)
      for number in 0..<20 { line.add(number, of: number % 2, width: .init(9, isNew: true)) }
      #expect(admitted(&line).count == ofTwo)

      for number in 20..<23 { line.add(number, of: 2, width: .init(9, isNew: true)) }
      let third = min(1, overall - ofTwo)
      #expect(admitted(&line).count == third)

      line.setWidth(.init(9), of: 0)
      #expect(admitted(&line).count == overall - ofTwo - third)
    }
  }

  /// Members in a list, and counts that are made anew for each question.
  private struct Model {
    struct Waiting: Equatable {
      let member: Int
      let kind: Int
      let priority: Int
      let ticket: Int
    }

    let perKind: Int
    let overall: Int
    let isNewestFirst: Bool
    var waiting: [Waiting] = []
    var running: [Waiting] = []
    var widths: [Int: Queue.Width] = [:]

    func count(of kind: Int) -> Int { running.count { $0.kind == kind } }

    private func hasRoom(_ kind: Int) -> Bool {
      func taken(_ kinds: Set<Int>) -> Int {
        kinds.map { widths[$0]!.isShared ? 1 : count(of: $0) }.reduce(0, +)
      }
      let kinds = Set(running.map(\.kind)), width = widths[kind]!
      let newKinds = kinds.filter { widths[$0]!.isNew }
      let hasPlace =
        taken(kinds) < overall && (!width.isNew || count(of: kind) == 0 || taken(newKinds) < overall / 2)
      return count(of: kind) < width.count && (hasPlace || width.isShared && count(of: kind) > 0)
    }

    mutating func add(_ member: Waiting, _ width: Queue.Width?) {
      if widths[member.kind] == nil { widths[member.kind] = width ?? Queue.Width(perKind) }
      waiting.append(member)
    }

    mutating func admit() -> Waiting? {
      let order = isNewestFirst ? 1 : -1
      let next = waiting.filter { hasRoom($0.kind) }
        .max { ($0.priority, $0.ticket * order) < ($1.priority, $1.ticket * order) }
      guard let next else { return nil }
      waiting.removeAll { $0 == next }
      running.append(next)
      return next
    }

    mutating func forget() {
      let kinds = Set((waiting + running).map(\.kind))
      widths = widths.filter { kinds.contains($0.key) }
    }
  }

  @Test("The connection queue admits what a plain list admits, after any changes", arguments: 0..<40)
  func model(seed: UInt64) {
    var random = Generator(seed: seed)
    let isNewestFirst = Bool.random(using: &random)
    let (perKind, overall) = (Int.random(in: 1...3, using: &random), Int.random(in: 1...6, using: &random))
    var queue = Queue(perKind: perKind, overall: overall, isNewestFirst: isNewestFirst)
    var model = Model(perKind: perKind, overall: overall, isNewestFirst: isNewestFirst)
    for step in 1...500 {
      let kind = Int.random(in: 0..<4, using: &random)
      let priority = Int.random(in: -1...2, using: &random)
      var width = Queue.Width(Int.random(in: 1...4, using: &random))
      (width.isShared, width.isNew) = (Bool.random(using: &random), Bool.random(using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3:
        let own: Queue.Width? = Bool.random(using: &random) ? width : nil
        let ticket = queue.add(step, of: kind, priority: priority, width: own)
        model.add(Model.Waiting(member: step, kind: kind, priority: priority, ticket: ticket), own)
      case 4...5:
        guard let done = model.running.randomElement(using: &random) else { continue }
        model.running.removeAll { $0 == done }
        model.forget()
        queue.release(done.kind)
        guard Bool.random(using: &random) else { continue }
        // It waits again, where it was.
        queue.add(done.member, of: done.kind, priority: done.priority, width: width, ticket: done.ticket)
        model.add(done, width)
      case 6:
        guard let left = model.waiting.randomElement(using: &random) else { continue }
        queue.remove(left.member, of: left.kind)
        model.waiting.removeAll { $0 == left }
        model.forget()
      case 7:
        queue.setWidth(width, of: kind)
        if model.widths[kind] != nil { model.widths[kind] = width }
      default:
        let (next, expected) = (queue.admit(), model.admit())
        #expect(next == expected?.member)
      }
      for kind in 0..<4 { #expect(queue.runningCount(of: kind) == model.count(of: kind)) }
    }
  }
}
