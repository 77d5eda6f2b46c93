import ImageScenarios
import Interleavings
import Streams

/// One scenario for one thing to be explored, or a program by itself.
struct Trial {
  let name: String
  /// Whether it is one of StreamImages. All others are of Streams.
  let isOfImages: Bool
  /// How many fibers do the work of a scheduler.
  let workers: Int
  /// Makes everything, runs it, and judges what came of it.
  private let playOnce: () -> Void

  static var all: [Trial] {
    Explored.all.flatMap { explored in
      Scenario.all.filter { $0.isMeant(explored) }.map { Trial(explored, $0) }
    } + Program.all.map { Trial($0) } + ImageScenario.all.map { Trial($0) }
  }

  /// Plays it once, so that what a process makes only once is there.
  func warmUp() {
    Explorer.shared.begin(.exhaustive(Bounds()))
    play(exempting: true)
  }

  /// Plays one schedule. What went wrong is in the explorer.
  func play(seed: UInt64 = 0, exempting: Bool = false) {
    Explorer.shared.prepare(seed: seed, exempting: exempting)
    Token.live = 0
    playOnce()
    // Asked the first time, too: what a process makes only once is not to come into being in a schedule.
    let isLeft = !DropWatch.subscriptions.isEmpty
    if isLeft, !exempting, Explorer.shared.violation == nil {
      Explorer.shared.fail("X11: a stream is left over that a watch for dropped values belongs to")
    }
  }
}

extension Trial {
  init(_ explored: Explored, _ scenario: Scenario) {
    name = "\(explored.name): \(scenario.name)"
    isOfImages = false
    workers = explored.workers
    playOnce = {
      let stand = Stand(explored, scenario)
      Self.run(scenario, on: stand)
      if Explorer.shared.violation == nil { return stand.judge() }
      // A fiber may have been left in the middle of something: letting go might find a lock that nobody gives back.
      _ = Unmanaged.passRetained(stand)
    }
  }

  /// On its own, so that nobody holds the bodies, nor what they hold, afterwards.
  private static func run(_ scenario: Scenario, on stand: Stand) {
    let bodies = scenario.bodies(stand)
    let jobs = stand.jobs
    let servants = (0..<stand.explored.workers).map { _ in { jobs!.work() } }
    Explorer.shared.run(
      bodies, servants: servants, hasErrands: stand.explored.workers == 0, expectedSteps: 60)
  }

  init(_ scenario: ImageScenario) {
    name = scenario.name
    isOfImages = true
    workers = scenario.servants
    playOnce = {
      Play.once(scenario)
      if Explorer.shared.violation == nil, Token.live != 0 {
        Explorer.shared.fail("X11: \(Token.live) objects are left over")
      }
    }
  }

  init(_ program: Program) {
    name = program.name
    isOfImages = false
    workers = 0
    playOnce = {
      let judge = Self.run(program)
      if Explorer.shared.violation == nil, let words = judge() { Explorer.shared.fail(words) }
    }
  }

  private static func run(_ program: Program) -> () -> String? {
    let (bodies, judge) = program.make()
    Explorer.shared.run(bodies)
    return judge
  }
}

/// Something that is explored without a stream.
struct Program {
  let name: String
  /// The bodies of the fibers, and what says at the end what was wrong.
  let make: () -> (bodies: [() -> Void], judge: () -> String?)

  static var all: [Program] { locks + traces }
}
