internal import CShards
import Interleavings
import SelfChecks

/// Each memory order of the sources, weakened by one step, and the scenario that finds it.
///
/// First all scenarios are explored as they are, with one preemption or old value. That shows which of them an order makes
/// a difference to: where an acquisition joined what a release had published. Only these are explored again with a weaker
/// one: with the same bounds, and, if that finds nothing, with those that were asked for.
struct Weakenings {
  private struct Mutant {
    let number: Int
    let path: String
    let line: Int
    let text: String
    let change: String
    let weakening: Weakening
    /// 1 if it does not acquire any more, 2 if it does not release.
    let lost: UInt8

    var place: String { "\(path):\(line)" }
  }

  private let trials: [Trial]
  private let mutants: [Mutant]
  private let order: Order
  private let page = cshards_page()!
  private let start = cshards_seconds()
  /// For each scenario and each order, what of it made a difference.
  private let effects: UnsafeMutablePointer<UInt8>
  private let schedules: UnsafeMutablePointer<Int64>
  /// For each mutant how many scenarios were explored, negative if the last has found it.
  private let verdicts: UnsafeMutablePointer<Int64>
  private static let sites = Explorer.mostSites
  private static let narrow = Bounds(preemptions: 1, stale: 1, both: 1)
  /// Lines of the list that settle nothing.
  private let stale: [SettledOrder]
  private let complaints: [String]

  init(_ order: Order) {
    self.order = order
    trials = Trial.all.filter { $0.name.hasPrefix(order.scenario) }
    let orders = NumberedOrders()
    complaints =
      orders.complaints
      + orders.missing.filter { missing in
        !order.settled.contains { $0.path == missing.path && $0.text == missing.text }
      }.map { "\($0.path):\($0.line): the program has no call with this order: \($0.text)" }
    let all = orders.all.enumerated().flatMap { number, order in
      Self.mutants(number + 1, order.path, order.line, order.name, order.text)
    }
    stale = order.settled.filter { settled in !all.contains { Self.settles(settled, $0) } }
    mutants = all.filter { $0.place.contains(order.mutants) }
    effects = Self.share(trials.count * Self.sites)
    schedules = Self.share(trials.count)
    verdicts = Self.share(mutants.count)
  }

  private static func share<Value>(_ count: Int) -> UnsafeMutablePointer<Value> {
    cshards_share(Int64(max(1, count) * MemoryLayout<Value>.stride))!.bindMemory(
      to: Value.self, capacity: count)
  }

  private static func mutants(
    _ number: Int, _ path: String, _ line: Int, _ name: String, _ text: String
  ) -> [Mutant] {
    func mutant(_ left: String, acquires: Bool = false, releases: Bool = false, lost: UInt8) -> Mutant {
      Mutant(
        number: number, path: path, line: line, text: text, change: "\(name) → \(left)",
        weakening: Weakening(site: number, acquires: acquires, releases: releases), lost: lost)
    }
    switch name {
    case "acquiring": return [mutant("relaxed", lost: 1)]
    case "releasing": return [mutant("relaxed", lost: 2)]
    default:
      return [
        mutant("acquiring", acquires: true, lost: 2), mutant("releasing", releases: true, lost: 1),
      ]
    }
  }

  /// True if each is either found or settled, and every line of the list settles something.
  func run() -> Bool {
    for complaint in complaints { say(complaint) }
    share(trials.count) { explore($0) }
    say(
      "explored \(trials.count) scenarios, \((0..<trials.count).reduce(0) { $0 + schedules[$1] }) schedules")
    share(mutants.count) { weaken($0) }
    for settled in stale { say("\(settled.path): no order of this line is weakened so: \(settled.text)") }
    let found = mutants.indices.filter { verdicts[$0] < 0 }
    let settled = mutants.indices.count { verdicts[$0] >= 0 && isSettled(mutants[$0]) }
    let both = found.count { isSettled(mutants[$0]) }
    say(
      "orders: \(mutants.count) weakenings, \(found.count) found, \(settled) settled,"
        + " \(mutants.count - found.count - settled) open, \(stale.count + both) settled in vain,"
        + " \(Int(cshards_seconds() - start)) s")
    return found.count + settled == mutants.count && both == 0 && stale.isEmpty && complaints.isEmpty
  }

  private func isSettled(_ mutant: Mutant) -> Bool { order.settled.contains { Self.settles($0, mutant) } }

  private static func settles(_ settled: SettledOrder, _ mutant: Mutant) -> Bool {
    settled.path == mutant.path && settled.text == mutant.text && settled.change == mutant.change
  }

  /// Has each piece of work done by one of several processes. One that traps has found something.
  private func share(_ count: Int, _ body: (Int) -> Void) {
    page.pointee.next = 0
    var shards: [Int32: Int] = [:]
    func fork(_ shard: Int) {
      let child = cshards_fork()
      if child != 0 { return shards[child] = shard }
      while true {
        let piece = Int(cshards_add(&page.pointee.next, 1))
        if piece >= count { cshards_exit(0) }
        note(shard) { $0 = Int64(piece) }
        body(piece)
      }
    }
    for shard in 0..<Int(cshards_cores()) { fork(shard) }
    while !shards.isEmpty {
      var signal: Int32 = 0
      guard let shard = shards.removeValue(forKey: cshards_wait(&signal)) else { return }
      if signal == 0 { continue }
      var piece = 0
      note(shard) { piece = Int($0) }
      if count == mutants.count {
        verdicts[piece] = -1
        tell(mutants[piece], "found by a trap (signal \(signal))")
      } else {
        say("\(trials[piece].name): X12: a trap (signal \(signal))")
      }
      fork(shard)
    }
  }

  private func note(_ shard: Int, _ body: (inout Int64) -> Void) {
    withUnsafeMutablePointer(to: &page.pointee.work) {
      $0.withMemoryRebound(to: Int64.self, capacity: 64) { body(&$0[shard]) }
    }
  }

  // MARK: In a process of its own

  private func explore(_ index: Int) {
    let explorer = Explorer.shared
    trials[index].warmUp()
    explorer.effects.update(repeating: 0, count: Self.sites)
    // A thread that waits for the lock gives up looking at its word, which takes another preemption.
    let bounds = trials[index].name.hasPrefix("lock:") ? order.bounds : Self.narrow
    schedules[index] = Int64(Exhaustion(bounds) { trials[index].play() }.schedules)
    (effects + index * Self.sites).update(from: explorer.effects, count: Self.sites)
    if let violation = explorer.violation { say("\(trials[index].name): \(violation)") }
  }

  private func weaken(_ index: Int) {
    let mutant = mutants[index], isSettled = isSettled(mutant)
    let touched = trials.indices.filter { effects[$0 * Self.sites + mutant.number] & mutant.lost != 0 }
      .sorted { schedules[$0] < schedules[$1] }
    for bounds in isSettled ? [Self.narrow] : [Self.narrow, order.bounds] {
      for (count, trial) in touched.enumerated() where find(mutant, by: trials[trial], bounds) {
        return verdicts[index] = -Int64(count + 1)
      }
    }
    verdicts[index] = Int64(touched.count)
    let settled = isSettled ? ", settled" : ""
    tell(
      mutant,
      touched.isEmpty ? "makes no difference to any\(settled)" : "not found by \(touched.count)\(settled)")
  }

  private func find(_ mutant: Mutant, by trial: Trial, _ bounds: Bounds) -> Bool {
    let explorer = Explorer.shared
    explorer.weakening = nil
    trial.warmUp()
    explorer.weakening = mutant.weakening
    let schedules = Exhaustion(bounds) { trial.play() }.schedules
    guard let violation = explorer.violation else { return false }
    tell(mutant, "found by \(trial.name), schedule \(schedules) of \(bounds.both): \(violation)")
    return true
  }

  private func tell(_ mutant: Mutant, _ words: String) {
    say("\(mutant.number)\t\(mutant.place)\t\(mutant.change)\t\(words)\t\(mutant.text)")
  }

  private func say(_ text: String) {
    let line = text + "\n"
    cshards_print(line, line.utf8.count)
  }
}
