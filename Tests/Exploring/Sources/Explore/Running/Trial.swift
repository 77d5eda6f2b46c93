import Interleavings

/// One scenario for one thing to be explored.
struct Trial {
  let explored: Explored
  let scenario: Scenario

  var name: String { "\(explored.name): \(scenario.name)" }

  static var all: [Trial] {
    Explored.all.flatMap { explored in
      Scenario.all.filter { $0.isMeant(explored) }.map { Trial(explored: explored, scenario: $0) }
    }
  }

  /// Plays it once, so that what a process makes only once is there.
  func warmUp() {
    Explorer.shared.begin(.exhaustive(preemptions: 0))
    play(exempting: true)
  }

  /// Plays one schedule. What went wrong is in the explorer.
  func play(seed: UInt64 = 0, exempting: Bool = false) {
    let explorer = Explorer.shared
    explorer.prepare(seed: seed, exempting: exempting)
    Token.live = 0
    let stand = Stand(explored, scenario)
    run(on: stand)
    if explorer.violation == nil { return stand.judge() }
    // A fiber may have been left in the middle of something: letting go might find a lock that nobody gives back.
    _ = Unmanaged.passRetained(stand)
  }

  /// On its own, so that nobody holds the bodies, nor what they hold, afterwards.
  private func run(on stand: Stand) {
    let bodies = scenario.bodies(stand)
    let jobs = stand.jobs
    let servants = (0..<explored.workers).map { _ in { jobs!.work() } }
    Explorer.shared.run(bodies, servants: servants, expectedSteps: 60)
  }
}
