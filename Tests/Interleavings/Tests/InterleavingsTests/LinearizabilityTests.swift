import Interleavings
import Synchronization
import Testing

/// A stack under a lock, or one whose two steps are not one.
private final class LockedStack: Sendable {
  private let items = Mutex<[Int]>([])
  private let isWrong: Bool

  init(isWrong: Bool) { self.isWrong = isWrong }

  func push(_ item: Int) { items.withLock { $0.append(item) } }

  func pop() -> Int? {
    if isWrong {
      guard let last = items.withLock({ $0.last }) else { return nil }
      items.withLock { _ = $0.popLast() }
      return last
    }
    return items.withLock { $0.popLast() }
  }
}

@Suite struct LinearizabilityTests {
  private func explore(isWrong: Bool) throws -> Exploration {
    try exploreLinearizable(LockedStack(isWrong: isWrong), model: [Int](), .patient) {
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

  @Test func `A stack whose pop is two steps is found, in its smallest scenario`() {
    let found = counterexample { try explore(isWrong: true) }
    #expect(found?.summary.contains("No order of these operations") == true)
    // Two pops of one item, or a pop beside a push: three operations at most.
    #expect((found?.summary.matches(of: /push|pop/).count ?? 9) <= 3)
  }

  @Test func `A stack under a lock is linearizable`() throws {
    let exploration = try explore(isWrong: false)
    #expect(exploration.isExhausted)
    #expect(exploration.schedules > 50)
  }
}
