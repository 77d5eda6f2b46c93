import Foundation
import Streams
import Testing

// Inside a type, a member hides the functions of the standard library and of the system that have its name. Each type here
// calls them without a prefix, as it would without Streams. Combine's own members hide `min`, `max`, `print` and `zip` in
// publishers: there, the test leaves them out.

private struct Row: RandomAccessCollection, Equatable {
  var values = [1, 2, 3]
  var startIndex: Int { 0 }
  var endIndex: Int { values.count }
  subscript(index: Int) -> Int { values[index] }

  static func == (left: Row, right: Row) -> Bool { zip(left, right).allSatisfy { $0 == $1 } }

  func pairs(_ other: Row) -> [[Int]] { zip(self, other).map { [$0, $1] } }

  func names(_ output: inout String) -> [Int] {
    dump(values.count, to: &output)
    print(values.count, to: &output)
    var (one, two) = (1, 2)
    swap(&one, &two)
    let steps = Array(stride(from: 0, to: 4, by: 2)) + Array(sequence(first: 1) { $0 < 3 ? $0 + 1 : nil })
    return steps + [abs(-1), one, two, numericCast(UInt8(3))] + Array(repeatElement(4, count: 1))
  }
}

extension Array {
  fileprivate func withNext() -> [(Element, Element)] { [(Element, Element)](zip(self, dropFirst())) }
}

private struct Fuse: Sequence, IteratorProtocol {
  var left = 3
  mutating func next() -> Int? {
    defer { left -= 1 }
    return left > 0 ? left : nil
  }
  func zipped() -> [Int] { zip(self, self).map { abs($0 - 2 * $1) } }
}

private struct Numbers: Publisher {
  typealias Output = Int
  typealias Failure = Never

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Int, Downstream.Failure == Never {
    var text = ""
    dump(1, to: &text)
    let steps = Array(stride(from: 0, to: 4, by: 2)) + Array(sequence(first: 1) { $0 < 3 ? $0 + 1 : nil })
    (steps + [abs(-2)] + Array(repeatElement(9, count: 1))).publisher.subscribe(subscriber)
  }
}

extension DispatchQueue {
  // Streams gives schedulers a `sleep` of their own.
  fileprivate func rests() -> UInt32 { sleep(0) }
}

extension Optional {
  fileprivate func pair(_ other: Wrapped?) -> [[Wrapped?]] { zip([self], [other]).map { [$0, $1] } }
}

@Suite("Standard library names inside types")
struct OwnNamesInsideTests {
  @Test("Functions of the standard library need no prefix inside collections, publishers and schedulers")
  func compiles() {
    var text = ""

    #expect(Row() == Row())
    #expect(Row().pairs(Row()) == [[1, 1], [2, 2], [3, 3]])
    #expect(Row().names(&text) == [0, 2, 1, 2, 3, 1, 2, 1, 3, 4])
    #expect(text == "- 3\n3\n")
    #expect([1, 2, 3].withNext().map(\.1) == [2, 3])
    #expect(Fuse().zipped() == [3, 2, 1])
    #expect(Optional(1).pair(nil) == [[1, nil]])
    #expect(DispatchQueue.main.rests() == 0)

    var received: [Int] = []
    let cancellable = Numbers().sink { received.append($0) }
    #expect(received == [0, 2, 1, 2, 3, 2, 9])
    cancellable.cancel()
  }
}
