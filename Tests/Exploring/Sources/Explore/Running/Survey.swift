internal import CShards
import Interleavings
import SelfChecks

/// All scenarios, shared out among processes: one for each core.
struct Survey {
  private let trials: [Trial]
  private let order: Order
  private let page = cshards_page()!
  private let start = cshards_seconds()

  private enum Count: Int {
    case scenarios, schedules, violations, unexhausted, stale, imageSchedules
  }

  init(_ order: Order) {
    self.order = order
    // What takes longest first, so that no process is left with it at the end.
    let sorted = Trial.all.filter { $0.name.hasPrefix(order.scenario) }
      .sorted { ($0.workers, $1.name) > ($1.workers, $0.name) }
    trials = stride(from: order.part.number, to: sorted.count, by: order.part.count).map { sorted[$0] }
  }

  /// True if nothing went wrong.
  func run() -> Bool {
    var shards: [Int32: Int] = [:]
    for shard in 0..<Int(cshards_cores()) { shards[fork(shard)] = shard }
    while !shards.isEmpty {
      var signal: Int32 = 0
      let child = cshards_wait(&signal)
      guard let shard = shards.removeValue(forKey: child) else { break }
      if signal != 0 {
        add(.violations, 1)
        say("\(trials[work(of: shard) % trials.count].name): X12: a trap (signal \(signal))")
        shards[fork(shard)] = shard
      }
    }
    let seconds = Int(cshards_seconds() - start)
    if count(.unexhausted) > 0 { say("\(count(.unexhausted)) scenarios are too large to be exhausted") }
    let scenarios = isDrawing ? trials.count : count(.scenarios)
    let ofImages = trials.count(where: \.isOfImages)
    if isDrawing {
      say("drawn by lot: schedules, and up to \(Bounds.mostByLot) stale reads in each")
    } else {
      let bounds = order.bounds
      say(
        "exhaustive: \(bounds.preemptions) preemptions and \(bounds.stale) stale reads at most, \(bounds.both) together"
      )
    }
    let schedules = count(.schedules), schedulesOfImages = count(.imageSchedules)
    say(
      "explored \(scenarios - ofImages) scenarios of Streams in \(schedules - schedulesOfImages) schedules, "
        + "\(ofImages) of StreamImages in \(schedulesOfImages), \(count(.stale)) stale reads, "
        + "\(count(.violations)) violations, \(seconds) s")
    return count(.violations) + count(.unexhausted) == 0 && scenarios == trials.count && scenarios > 0
  }

  private var isDrawing: Bool { if case .everything = order.extent { false } else { true } }

  private func fork(_ shard: Int) -> Int32 {
    let child = cshards_fork()
    if child == 0 {
      work(as: shard)
      cshards_exit(0)
    }
    return child
  }

  // MARK: In a process of its own

  private func work(as shard: Int) {
    Explorer.shared.weakening = order.weakening
    cshards_on_trap {
      let text = "the schedule of the trap is \(Explorer.shared.schedule)\n"
      cshards_print(text, text.utf8.count)
    }
    while let piece = next(shard) {
      if isDrawing { draw(piece) } else { exhaust(trials[piece]) }
    }
  }

  private func next(_ shard: Int) -> Int? {
    if order.isFirstEnough, count(.violations) > 0 { return nil }
    let piece = Int(cshards_add(&page.pointee.next, 1))
    withUnsafeMutablePointer(to: &page.pointee.work) {
      $0.withMemoryRebound(to: Int64.self, capacity: 64) { $0[shard] = Int64(piece) }
    }
    switch order.extent {
    case .everything: return piece < trials.count ? piece : nil
    case .schedules(let most): return piece * Self.chunk < most ? piece : nil
    case .seconds(let most): return cshards_seconds() - start < most ? piece : nil
    }
  }

  private func exhaust(_ trial: Trial) {
    trial.warmUp()
    let before = Explorer.shared.staleReads
    let exhaustion = Exhaustion(order.bounds) { trial.play() }
    add(.stale, Explorer.shared.staleReads - before)
    if exhaustion.schedules == Exhaustion.most {
      add(.unexhausted, 1)
      say("\(trial.name): not exhausted after \(exhaustion.schedules) schedules")
    }
    add(.scenarios, 1)
    add(.schedules, exhaustion.schedules)
    if trial.isOfImages { add(.imageSchedules, exhaustion.schedules) }
    if exhaustion.leak > 0 {
      // All schedules together leave that, so there is none to be told.
      report("X11: memory grows by \(exhaustion.leak) bytes a schedule", trial)
    } else {
      report(trial)
    }
  }

  private static let chunk = 500

  /// So many schedules of one scenario, by all strategies in turn.
  private func draw(_ piece: Int) {
    let explorer = Explorer.shared
    let trial = trials[piece % trials.count]
    let strategies: [Strategy] = [
      .random, .priorities(depth: 2), .priorities(depth: 3), .priorities(depth: 5),
    ]
    trial.warmUp()
    for number in 0..<Self.chunk {
      let seed = order.seed &* 0x1_0000_0000 &+ UInt64(piece * Self.chunk + number)
      explorer.begin(strategies[number % strategies.count])
      trial.play(seed: seed)
      add(.schedules, 1)
      if trial.isOfImages { add(.imageSchedules, 1) }
      if explorer.violation != nil { return report(trial) }
    }
  }

  private func report(_ trial: Trial) {
    guard let violation = Explorer.shared.violation else { return }
    report(violation, trial, " --seed \(Explorer.shared.schedule)")
  }

  private func report(_ violation: String, _ trial: Trial, _ options: String = "") {
    add(.violations, 1)
    say(
      """
      \(trial.name): \(violation)
        \(Explorer.command) --scenario "\(trial.name)"\(options)
      """)
  }

  // MARK: What the processes have in common

  private func say(_ text: String) {
    let line = text + "\n"
    cshards_print(line, line.utf8.count)
  }

  private func add(_ count: Count, _ amount: Int) {
    withCounts { _ = cshards_add($0 + count.rawValue, Int64(amount)) }
  }

  private func count(_ count: Count) -> Int { withCounts { Int($0[count.rawValue]) } }

  private func withCounts<Result>(_ body: (UnsafeMutablePointer<Int64>) -> Result) -> Result {
    withUnsafeMutablePointer(to: &page.pointee.counts) {
      $0.withMemoryRebound(to: Int64.self, capacity: 8) { body($0) }
    }
  }

  private func work(of shard: Int) -> Int {
    withUnsafeMutablePointer(to: &page.pointee.work) {
      $0.withMemoryRebound(to: Int64.self, capacity: 64) { Int($0[shard]) }
    }
  }
}
