import Interleavings
import Synchronization
import Testing

private final class Counter: Sendable {
  private let count = Mutex(0)
  func increment() { count.withLock { $0 += 1 } }
  var value: Int { count.withLock { $0 } }
}

// What documentation comments show.

@Test func countsBoth() throws {
  try explore {
    Counter()
  } run: {
    $0.thread { $0.increment() }
    $0.thread { $0.increment() }
  } after: {
    #expect($0.value == 2)
  }
}

@Test func `A scenario without threads, or with too many, is refused`() {
  #expect(throws: ExplorationError.self) {
    try explore {
      1
    } run: { _ in
    }
  }
  #expect(throws: ExplorationError.self) {
    try explore {
      1
    } run: {
      for _ in 0..<33 { $0.thread { _ in } }
    }
  }
}

@Test(arguments: [
  Bounds(steps: .max, schedules: .max), Bounds(preemptions: -1, staleValues: -1),
  Bounds(preemptions: .max, staleValues: .max, both: 1),
])
func `Bounds may be any numbers`(bounds: Bounds) throws {
  try explore(bounds) {
    Counter()
  } run: {
    $0.thread { $0.increment() }
    $0.thread { $0.increment() }
  } after: {
    #expect($0.value == 2)
  }
}
