/// One workload, and how many times the reference loop it may cost.
///
/// A value path that loses its specialisation (one `@inlinable` forgotten is enough) costs 10 to 80 times more. The
/// ceiling is about four times what the workload costs when all is well: far above the noise of a busy machine, far
/// below what a mistake costs.
struct Floor: Sendable {
  let name: String
  let ceiling: Double
  /// Sends about `count` values, and answers a checksum so that nothing is optimised away.
  let run: @Sendable (_ count: Int) -> Int

  init(_ name: String, ceiling: Double, _ run: @escaping @Sendable (_ count: Int) -> Int) {
    self.name = name
    self.ceiling = ceiling
    self.run = run
  }
}

extension Floor {
  /// Nanoseconds a value: the best of several rounds, since noise only ever adds.
  func cost(rounds: Int = 7, count: Int = 100_000) -> Double {
    var best = Double.infinity
    _ = run(count / 10)
    for _ in 0..<rounds {
      let clock = ContinuousClock()
      let start = clock.now
      keep(run(count))
      let spent = clock.now - start
      let (seconds, attoseconds) = spent.components
      best = min(best, (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(count))
    }
    return best
  }
}

nonisolated(unsafe) private var kept = 0  // written by the one thread of this program only

@inline(never)
func keep(_ value: Int) { kept &+= value }

/// A closure that the optimiser cannot see through, as an operator's argument is in real life.
@inline(never)
func opaque<Argument, Result>(
  _ closure: @escaping @Sendable (Argument) -> Result
) -> @Sendable (Argument) -> Result { closure }

/// The same for a closure that keeps a sum.
@inline(never)
func opaqueSink(_ closure: @escaping (Int) -> Void) -> (Int) -> Void { closure }
