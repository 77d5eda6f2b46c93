import StreamImages
import StreamsExtras
import Testing

@Suite struct ConnectionQueueTests {
  @Test("The connection queue admits members in order, up to its limits per kind and overall")
  func order() {
    var line = ConnectionQueue<String, Int>(perKind: 2, overall: 3)
    for (number, kind) in ["a", "a", "a", "b", "b", "a"].enumerated() { line.add(number, of: kind) }

    var admitted: [Int] = []
    while let next = line.admit() { admitted.append(next) }
    line.release("b")
    let fourth = line.admit()
    line.release("a")
    let fifth = line.admit()

    #expect(admitted == [0, 1, 3])
    #expect(fourth == 4)
    #expect(fifth == 2)
  }

  @Test("A member removed from the connection queue is never admitted")
  func removal() {
    var line = ConnectionQueue<String, Int>(perKind: 1, overall: 10)
    for number in 0..<3 { line.add(number, of: "a") }

    let first = line.admit()
    line.remove(1, of: "a")
    line.release("a")

    #expect(first == 0)
    #expect(line.admit() == 2)
    #expect(line.admit() == nil)
  }

  @Test("A newest-first connection queue admits the newest member of each kind with room")
  func newestFirst() {
    var line = ConnectionQueue<String, Int>(perKind: 1, overall: 2, isNewestFirst: true)
    for (member, kind) in [(1, "a"), (2, "b"), (3, "a"), (4, "b"), (5, "a")] { line.add(member, of: kind) }

    #expect(line.admit() == 5)
    #expect(line.admit() == 4)
    #expect(line.admit() == nil)
    line.release("a")
    #expect(line.admit() == 3)
    line.release("b")
    #expect(line.admit() == 2)
  }

  @Test("The connection queue admits urgent members first, and a ticket restores a position")
  func priority() {
    var line = ConnectionQueue<String, Int>(perKind: 1, overall: 10)
    let tickets = [(1, 0), (2, 5), (3, 0), (4, 5)].map { member, priority in
      line.add(member, of: "a", priority: priority)
    }

    #expect(line.admit() == 2)
    line.release("a")
    line.add(2, of: "a", priority: 5, ticket: tickets[1])
    var admitted: [Int] = []
    while let next = line.admit() {
      admitted.append(next)
      line.release("a")
    }

    #expect(admitted == [2, 4, 1, 3])
  }

  @Test("Queue members that share a connection count once towards the overall limit")
  func sharing() {
    var line = ConnectionQueue<String, Int>(perKind: 1, overall: 2)
    for number in 0..<5 { line.add(number, of: "a", width: .init(4, isShared: true)) }
    for number in 10..<12 { line.add(number, of: "b", width: .init(2)) }

    var admitted: [Int] = []
    while let next = line.admit() { admitted.append(next) }
    #expect(admitted == [0, 1, 2, 3, 10])
    #expect(line.runningCount(of: "a") == 4)

    line.setWidth(.init(2), of: "a")
    for _ in 0..<3 { line.release("a") }
    #expect(line.admit() == nil)
    line.release("b")
    #expect(line.admit() == 4)
  }

  @Test("Kinds that are new have a place each, and share half of the others until they are not new any more")
  func new() {
    for (overall, ofTwo) in [(1, 1), (2, 2), (3, 2), (4, 2), (5, 2), (6, 3), (10, 5)] {
      var line = ConnectionQueue<Int, Int>(perKind: 9, overall: overall)
      func admitted(_ line: inout ConnectionQueue<Int, Int>) -> Int {
        var count = 0
        while line.admit() != nil { count += 1 }
        return count
      }
      for number in 0..<20 { line.add(number, of: number % 2, width: .init(9, isNew: true)) }
      #expect(admitted(&line) == ofTwo)

      for number in 20..<23 { line.add(number, of: 2, width: .init(9, isNew: true)) }
      let third = min(1, overall - ofTwo)
      #expect(admitted(&line) == third)

      line.setWidth(.init(9), of: 0)
      #expect(admitted(&line) == overall - ofTwo - third)
    }
  }
}
