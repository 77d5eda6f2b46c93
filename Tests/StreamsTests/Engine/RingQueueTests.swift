import Streams
import Testing

@Suite("`RingQueue`")
struct RingQueueTests {
  @Test("`RingQueue` behaves like an array for all short sequences of appends and removals")
  func model() {
    for script in 0..<(1 << 12) {
      var queue = RingQueue<Int>()
      var model: [Int] = []
      for step in 0..<12 {
        if script >> step & 1 == 0 {
          queue.append(step)
          model.append(step)
        } else {
          let expected = model.isEmpty ? nil : model.removeFirst()
          let actual = queue.popFirst()
          guard actual == expected else {
            return #expect(actual == expected, "script \(script), step \(step)")
          }
        }
        guard queue.count == model.count, queue.isEmpty == model.isEmpty else {
          return #expect(queue.count == model.count, "script \(script), step \(step)")
        }
      }
    }
  }

  @Test("`RingQueue` stores optional elements that are nil")
  func optionals() {
    var queue = RingQueue<Int?>()

    queue.append(nil)
    queue.append(1)

    #expect(queue.count == 2)
    #expect(queue.popFirst() == .some(nil))
    #expect(queue.popFirst() == .some(1))
    #expect(queue.popFirst() == nil)
  }

  @Test("`RingQueue` releases an element once it is removed")
  func releases() {
    final class Element {}
    var queue = RingQueue<Element>()
    weak var first: Element?

    do {
      let element = Element()
      first = element
      queue.append(element)
    }
    for _ in 0..<10 { queue.append(Element()) }
    _ = queue.popFirst()

    #expect(first == nil)
    #expect(queue.count == 10)
  }

  @Test("`RingQueue` releases all elements, wherever they are stored")
  func releasesAll() {
    final class Element {}
    for taken in 0..<9 {
      var queue = RingQueue<Element>()
      var elements = (0..<12).map { _ in Element() }
      let references = elements.map { Weak($0) }
      for element in elements.prefix(8) { queue.append(element) }
      for _ in 0..<taken { _ = queue.popFirst() }
      for element in elements.dropFirst(8) { queue.append(element) }
      elements = []
      #expect(references.count { $0.object != nil } == 12 - taken)

      queue = RingQueue()

      #expect(references.allSatisfy { $0.object == nil }, "\(taken) were taken before")
    }
  }

  @Test("A copy of a `RingQueue` is independent of the original")
  func copies() {
    var queue = RingQueue<Int>()
    for element in 0..<6 { queue.append(element) }
    for _ in 0..<3 { _ = queue.popFirst() }
    for element in 6..<9 { queue.append(element) }
    var copy = queue

    copy.append(9)
    _ = queue.popFirst()

    var seen: [Int] = []
    queue.forEach { seen.append($0) }
    #expect(seen == [4, 5, 6, 7, 8])
    #expect(queue.first == 4)
    seen = []
    while let element = copy.popFirst() { seen.append(element) }
    #expect(seen == [3, 4, 5, 6, 7, 8, 9])
    #expect(queue.count == 5)
  }

  @Test("`RingQueue` returns all of 100,000 appended elements")
  func linear() {
    var queue = RingQueue<Int>()
    var taken: [Int] = []

    for element in 0..<100_000 { queue.append(element) }
    while let element = queue.popFirst() { taken.append(element) }

    #expect(taken.elementsEqual(0..<100_000))
    #expect(queue.isEmpty)
  }
}

private struct Weak {
  weak var object: AnyObject?

  init(_ object: AnyObject) { self.object = object }
}
