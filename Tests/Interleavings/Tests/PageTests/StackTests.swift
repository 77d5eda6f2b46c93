import Interleavings
import Synchronization
import Testing

final class Stack: Sendable {
  private let items = Mutex<[Int]>([])
  func push(_ item: Int) { items.withLock { $0.append(item) } }
  func pop() -> Int? { items.withLock { $0.popLast() } }
}

@Test func theStackIsLinearizable() throws {
  try exploreLinearizable(Stack(), model: [Int]()) {
    $0.operation("push", 1...2) { stack, item in
      stack.push(item)
    } model: {
      $0.append($1)
    }
    $0.operation("pop") {
      $0.pop()
    } model: {
      $0.popLast()
    }
  }
}
