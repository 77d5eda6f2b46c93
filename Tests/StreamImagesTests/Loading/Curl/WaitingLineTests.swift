import StreamImages
import Testing

@Suite struct WaitingLineTests {
  @Test("lets in so many of a kind, and so many at all, in order")
  func order() {
    var line = WaitingLine<String, Int>(perKind: 2, overall: 3)
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

  @Test("forgets who gives up")
  func removal() {
    var line = WaitingLine<String, Int>(perKind: 1, overall: 10)
    for number in 0..<3 { line.add(number, of: "a") }

    let first = line.admit()
    line.remove(1, of: "a")
    line.release("a")

    #expect(first == 0)
    #expect(line.admit() == 2)
    #expect(line.admit() == nil)
  }

  @Test("A5.16: lets in the newest first, of all kinds that have room, if it is told so")
  func newestFirst() {
    var line = WaitingLine<String, Int>(perKind: 1, overall: 2, isNewestFirst: true)
    for (member, kind) in [(1, "a"), (2, "b"), (3, "a"), (4, "b"), (5, "a")] { line.add(member, of: kind) }

    #expect(line.admit() == 5)
    #expect(line.admit() == 4)
    #expect(line.admit() == nil)
    line.release("a")
    #expect(line.admit() == 3)
    line.release("b")
    #expect(line.admit() == 2)
  }
}
