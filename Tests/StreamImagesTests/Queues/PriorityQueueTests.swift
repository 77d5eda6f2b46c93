import StreamImages
import StreamsExtras
import Testing

@Suite("`PriorityQueue`")
struct PriorityQueueTests {
  @Test("A priority queue returns elements by priority, and in order of arrival within it")
  func order() {
    var queue = PriorityQueue<String>()
    for (id, (element, priority)) in [("a", 1), ("b", 2), ("c", 1), ("d", 2), ("e", 0)].enumerated() {
      queue.append(element, id: UInt64(id), priority: priority)
    }

    #expect(queue.count == 5)
    #expect(queue.priorities.sorted() == [0, 1, 1, 2, 2])
    #expect(queue.removeAll() == ["b", "d", "a", "c", "e"])
    #expect(queue.isEmpty)
  }

  @Test("A raised queue element follows those of its new priority, and a lowered one precedes them")
  func moving() {
    var queue = PriorityQueue<String>()
    for (id, priority) in [1, 2, 1, 2, 1].enumerated() {
      queue.append("\(id)", id: UInt64(id), priority: priority)
    }

    queue.move(0, to: 2)
    queue.move(3, to: 1)
    queue.move(1, to: 1)
    queue.move(4, to: 1)
    queue.move(99, to: 5)

    #expect(queue.removeAll() == ["0", "1", "3", "2", "4"])
  }

  @Test("Moving an element often does not make the queue grow")
  func movingOften() throws {
    var queue = PriorityQueue<Int>()
    for id in 0..<3 { queue.append(id, id: UInt64(id)) }

    for step in 1...1_000 { queue.move(1, to: step % 2) }

    let heap = try #require(Mirror(reflecting: queue).descendant("heap"))
    #expect(Mirror(reflecting: heap).children.count <= 33)
    #expect(queue.removeAll() == [1, 0, 2])
  }

  @Test("A first queue element that fails the condition stays, and no other is returned")
  func condition() {
    var queue = PriorityQueue<Int>()
    queue.append(1, id: 1, priority: 1)
    queue.append(2, id: 2)

    #expect(queue.popFirst { $0 == 2 } == nil)
    #expect(queue.popFirst { $0 == 1 } == 1)
    #expect(queue.popFirst() == 2)
    #expect(queue.popFirst() == nil)
  }

  @Test("A priority queue agrees with a sorted array under random operations", arguments: 0..<20)
  func model(seed: UInt64) {
    var random = Generator(seed: seed)
    var queue = PriorityQueue<UInt64>()
    var model: [(id: UInt64, priority: Int, order: Int)] = []
    for step in 1...2_000 {
      let known = model.randomElement(using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3:
        let priority = Int.random(in: 0..<5, using: &random)
        queue.append(UInt64(step), id: UInt64(step), priority: priority)
        model.append((UInt64(step), priority, step))
      case 4...5:
        guard let known else { continue }
        let priority = Int.random(in: 0..<5, using: &random)
        queue.move(known.id, to: priority)
        guard priority != known.priority else { continue }
        model.removeAll { $0.id == known.id }
        model.append((known.id, priority, priority > known.priority ? step : -step))
      case 6...7:
        guard let known else { continue }
        #expect(queue.remove(known.id) == known.id)
        #expect(queue.remove(known.id) == nil)
        model.removeAll { $0.id == known.id }
      default:
        let first = model.min { $0.priority == $1.priority ? $0.order < $1.order : $0.priority > $1.priority }
        #expect(queue.popFirst() == first?.id)
        model.removeAll { $0.id == first?.id }
      }
    }
    #expect(queue.count == model.count)
  }

  /// How many entries the heap has, with those of elements that were moved or removed.
  private func heapCount(_ queue: PriorityQueue<Int>) throws -> Int {
    let heap = try #require(Mirror(reflecting: queue).descendant("heap"))
    return Mirror(reflecting: heap).children.count
  }

  @Test("A priority queue drops stale entries when it has more than 32 and they are the majority")
  func staleEntries() throws {
    for (count, bound) in [(15, 32), (16, 32), (17, 34), (20, 40)] {
      var queue = PriorityQueue<Int>()
      for id in 0..<count { queue.append(id, id: UInt64(id)) }

      for step in 1...(bound - count) { queue.move(0, to: step % 2) }
      #expect(try heapCount(queue) == bound)
      queue.move(0, to: 2)
      #expect(try heapCount(queue) == count)
      let all = queue.removeAll()
      #expect(all == Array(0..<count))
    }
    var queue = PriorityQueue<Int>()
    for id in 0..<40 { queue.append(id, id: UInt64(id)) }
    for id in 0..<40 {
      let removed = queue.remove(UInt64(id))
      #expect(removed == id)
      if id == 19 { #expect(try heapCount(queue) == 40) }
      if id == 20 { #expect(try heapCount(queue) == 19) }
    }
    #expect(queue.isEmpty && queue.priorities.isEmpty)
  }
}
