import Interleavings
import Testing

@Suite struct ReplayTests {
  private func explore(replay: String? = nil) throws {
    try Interleavings.explore(replay: replay) {
      LockedCounter(isWrong: true)
    } run: {
      for _ in 0..<2 { $0.thread { $0.increment() } }
    } after: {
      #expect($0.value == 2)
    }
  }

  @Test func `A schedule is repeated from its text`() throws {
    let found = try #require(counterexample { try explore() })
    let again = try #require(counterexample { try explore(replay: found.replay) })
    #expect(again.steps == found.steps)
    #expect(again.replay == found.replay)
  }

  @Test(arguments: ["", "1", "1.1.1.20000", "1.1.1.20000-3!", "1.1.1.20000-999999999999a", "a.1.1.20000-3a"])
  func `A text that is no schedule is refused`(text: String) {
    #expect(throws: ExplorationError.self) { try explore(replay: text) }
  }

  @Test func `A schedule of other code is told from one that passes`() {
    let found = counterexample { try explore(replay: "1.1.1.20000-z") }
    #expect(found != nil)
  }
}
