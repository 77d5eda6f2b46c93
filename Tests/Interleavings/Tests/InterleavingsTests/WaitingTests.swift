import Interleavings
import Synchronization
import Testing

/// A value that is copied when it is written and shared.
private struct Tree: @unchecked Sendable {
  private final class Node {
    var value: Int
    init(_ value: Int) { self.value = value }
  }

  private var node = Node(1)

  mutating func set(_ value: Int) {
    if isKnownUniquelyReferenced(&node) {
      node.value = value
    } else {
      node = Node(value + node.value - node.value)
    }
  }
}

private final class Trees: @unchecked Sendable {  // each thread has one of them
  var first = Tree()
  var second: Tree

  init() { second = first }
}

/// Loops that look, and code that only looks as if it were wrong.
@Suite struct WaitingTests {
  @Test(arguments: [2, 10, 50]) func `A loop that gives up is found to give up too early`(times: Int) {
    let found = counterexample {
      try explore(.patient) {
        (Atomic1(true), Log())
      } run: {
        $0.thread { held, log in
          for _ in 0..<times where !held.value.load(ordering: .acquiring) { return }
          log.add(1)
        }
        $0.thread { held, _ in held.value.store(false, ordering: .releasing) }
      } after: {
        #expect($0.1.all.isEmpty)
      }
    }
    #expect(found?.summary.contains("After all have ended") == true)
  }

  @Test func `A thread that looks at the same value many times does not wait for anybody`() throws {
    let exploration = try explore(.patient) {
      (Atomic1(true), Log())
    } run: {
      for _ in 0..<2 {
        $0.thread { held, log in
          var sum = 0
          for _ in 0..<8 { sum += held.value.load(ordering: .relaxed) ? 1 : 0 }
          log.add(sum)
        }
      }
    } after: {
      #expect($0.1.all == [8, 8])
    }
    #expect(exploration.isExhausted)
  }

  @Test func `A thread that waits for what never happens is told`() {
    let found = counterexample {
      try explore(.patient) {
        Atomic1(true)
      } run: {
        $0.thread { while $0.value.load(ordering: .acquiring) {} }
      }
    }
    #expect(found?.summary.contains("Deadlock") == true)
  }

  @Test func `More steps of a thread than can be counted are told, and not taken for a data race`() {
    let found = counterexample {
      try explore(Bounds(both: 0, steps: .max, time: .seconds(300))) {
        Atomic1(true)
      } run: {
        $0.thread { for _ in 0..<70_000 { $0.value.store(false, ordering: .relaxed) } }
      }
    }
    #expect(found?.summary == "A thread has too many steps to be explored.")
  }

  @Test func `Copies of a value on two threads do not race`() throws {
    let exploration = try explore(.patient) {
      Trees()
    } run: {
      $0.thread { $0.first.set(5) }
      $0.thread { $0.second.set(7) }
    }
    #expect(exploration.isExhausted)
  }

  @Test func `An expectation that fails in a thread or a task is a counterexample`() {
    let inThread = counterexample {
      try explore(.patient) {
        Log()
      } run: {
        $0.thread { log in #expect(log.all == [1]) }
      }
    }
    let inTask = counterexample {
      try explore(.patient) {
        Log()
      } run: {
        $0.task { log in #expect(log.all == [1]) }
      }
    }
    #expect(inThread?.summary.contains("In thread 1") == true)
    #expect(inTask?.summary.contains("In task 1") == true)
  }

  @Test func `A schedule with more choices than the code has is told from one that passes`() {
    let found = counterexample {
      try explore(replay: "1.0.1.20000-1000a") {
        Log()
      } run: {
        $0.thread { $0.add(1) }
      }
    }
    #expect(found?.summary.contains("fewer choices") == true)
  }
}

/// An atomic that several closures have.
private final class Atomic1: Sendable {
  let value: Atomic<Bool>
  init(_ value: Bool) { self.value = Atomic(value) }
}
