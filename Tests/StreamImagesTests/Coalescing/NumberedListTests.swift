import StreamImages
import Testing

@Suite("`NumberedList`")
struct NumberedListTests {
  /// How many entries the list has, with those that were removed.
  private func entryCount(_ list: NumberedList<Int>) throws -> Int {
    let entries = try #require(Mirror(reflecting: list).descendant("entries"))
    return Mirror(reflecting: entries).children.count
  }

  @Test("A numbered list agrees with a plain array under random operations", arguments: 0..<10)
  func model(seed: UInt64) throws {
    var random = Generator(seed: seed)
    var list = NumberedList<Int>()
    var model: [(number: UInt64, element: Int)] = []
    var last: UInt64 = 0
    for step in 0..<1_000 {
      // Grows and shrinks in turns.
      let adds = Int.random(in: 0..<10, using: &random) < (step / 100 % 2 == 0 ? 7 : 3)
      if adds {
        // Numbers in between are missing.
        last += UInt64.random(in: 1...3, using: &random)
        list.append(step, number: last)
        model.append((last, step))
      } else {
        let number = UInt64.random(in: 0...(last + 1), using: &random)
        let place = model.firstIndex { $0.number == number }
        list.change(number) { $0 += 10_000 }
        if let place { model[place].element += 10_000 }
        #expect(list[number] == place.map { model[$0].element })

        let chosen = Bool.random(using: &random) ? model.randomElement(using: &random)?.number ?? 0 : number
        let gone = model.firstIndex { $0.number == chosen }.map { model.remove(at: $0).element }
        let removed = list.remove(chosen)
        #expect(removed == gone && list[chosen] == nil)
        list.change(chosen) { _ in Issue.record("changed an element that was removed") }
        let again = list.remove(chosen)
        #expect(again == nil)
      }
      #expect(list.count == model.count && list.isEmpty == model.isEmpty)
      #expect(list.elements == model.map(\.element))
    }
  }

  @Test("A numbered list drops removed entries when it has more than 16 and they are the majority")
  func compaction() throws {
    for (count, steps) in [
      (16, [16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 0]),
      (17, [17, 17, 17, 17, 17, 17, 17, 17, 8, 8, 8, 8, 8, 8, 8, 8, 0]),
      (18, [18, 18, 18, 18, 18, 18, 18, 18, 18, 8, 8, 8, 8, 8, 8, 8, 8, 0]),
    ] {
      var list = NumberedList<Int>()
      for number in 0..<count { list.append(number, number: UInt64(number)) }

      for (number, left) in steps.enumerated() {
        let removed = list.remove(UInt64(number))
        #expect(removed == number)
        #expect(try entryCount(list) == left, "\(count) \(number)")
        #expect(list.elements == Array((number + 1)..<max(count, number + 1)))
      }
    }
  }
}
