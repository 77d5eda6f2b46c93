import Interleavings

/// Plays a story in an order drawn by lot: its threads, and the jobs that the runtime would give to its pool, are threads of
/// the engine.
final class SeededJobs: @unchecked Sendable {  // one thread only
  static let shared = SeededJobs()

  private var threads: [() -> Void] = []
  private var seed: UInt64 = 0
  private(set) var violation: String?
  private(set) var steps = 0

  private static let strategies: [Strategy] = [.random, .priorities(depth: 2), .priorities(depth: 4)]

  func begin(seed: UInt64) {
    self.seed = seed
    violation = nil
    threads = []
    Explorer.shared.begin(Self.strategies[Int(seed / 16 % 3)])
    Explorer.shared.prepare(seed: seed)
    Explorer.shared.catchTasks()
  }

  /// Something that another thread does, at some time.
  func addThread(_ body: @escaping () -> Void) { threads.append(body) }

  /// Runs everything until nothing is left to do.
  func drain() {
    let bodies = threads
    threads = []
    Explorer.shared.run(bodies, hasErrands: true, expectedSteps: 200)
    violation = violation ?? Explorer.shared.violation
    steps += Explorer.shared.steps
    // What follows is a schedule of its own, with the same objects.
    seed &+= 1 << 40
    Explorer.shared.prepare(seed: seed, isContinued: true)
  }
}
