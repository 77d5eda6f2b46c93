import Interleavings
import Testing

/// What compiled code may do, by the rules of C11.
@Suite struct LitmusTests {
  @Test(arguments: Litmus.all) func `A small program has exactly the outcomes that the memory model allows`(
    litmus: Litmus
  )
    throws
  {
    var found: Set<String> = []
    do {
      let exploration = try explore(litmus.bounds) {
        let run = Litmus.Run()
        run.bodies = litmus.make(run)
        run.notes = run.bodies.map { _ in [] }
        return run
      } run: {
        for number in 0..<litmus.make(Litmus.Run()).count {
          $0.thread { $0.bodies[number]() }
        }
      } after: {
        found.insert($0.outcome)
      }
      #expect(exploration.isExhausted)
      #expect(found == litmus.outcomes)
    } catch let counterexample as Counterexample {
      #expect(counterexample.summary.contains("Data race"), "\(counterexample)")
      #expect(litmus.outcomes.contains("race"), "\(counterexample)")
    }
  }
}
