internal import CShards
import Interleavings
import LockAlone
import SelfChecks
import Streams

/// Each memory order of the sources, weakened by one step, and the scenario that finds it.
///
/// First all scenarios are explored as they are. That shows which of them an order makes a difference to: where an
/// acquisition joined what a release had published. Only these are explored again with a weaker one.
struct Weakenings {
  private struct Mutant {
    let number: Int
    let place: String
    let text: String
    let change: String
    let weakening: Weakening
    /// 1 if it does not acquire any more, 2 if it does not release.
    let lost: UInt8
  }

  private let trials: [Trial]
  private let mutants: [Mutant]
  private let order: Order
  private let page = cshards_page()!
  /// For each scenario and each order, what of it made a difference.
  private let effects: UnsafeMutablePointer<UInt8>
  private let schedules: UnsafeMutablePointer<Int64>
  /// For each mutant how many scenarios were explored, negative if the last has found it.
  private let verdicts: UnsafeMutablePointer<Int64>
  private static let sites = Explorer.mostSites

  init(_ order: Order) {
    self.order = order
    trials = Trial.all.filter { $0.name.hasPrefix(order.scenario) }
    let orders = Streams.Orders.all + LockAlone.Orders.all
    mutants = orders.flatMap { Self.mutants($0.number, "\($0.path):\($0.line)", $0.name, $0.text) }
      .filter { $0.place.contains(order.mutants) }
    effects = Self.share(trials.count * Self.sites)
    schedules = Self.share(trials.count)
    verdicts = Self.share(mutants.count)
  }

  private static func share<Value>(_ count: Int) -> UnsafeMutablePointer<Value> {
    cshards_share(Int64(max(1, count) * MemoryLayout<Value>.stride))!.bindMemory(
      to: Value.self, capacity: count)
  }

  private static func mutants(_ number: Int, _ place: String, _ name: String, _ text: String) -> [Mutant] {
    func mutant(_ left: String, acquires: Bool = false, releases: Bool = false, lost: UInt8) -> Mutant {
      Mutant(
        number: number, place: place, text: text, change: "\(name) → \(left)",
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

  /// True if each is found, or settled in `settled`.
  func run() -> Bool {
    share(trials.count) { explore($0) }
    say(
      "explored \(trials.count) scenarios, \((0..<trials.count).reduce(0) { $0 + schedules[$1] }) schedules")
    share(mutants.count) { weaken($0) }
    let found = mutants.indices.count { verdicts[$0] < 0 }
    let settled = mutants.indices.filter { verdicts[$0] >= 0 && isSettled(mutants[$0]) }.count
    say(
      "orders: \(mutants.count) weakenings, \(found) found, \(settled) settled, \(mutants.count - found - settled) open"
    )
    return found + settled == mutants.count
  }

  private func isSettled(_ mutant: Mutant) -> Bool {
    order.settled.contains { $0.change == mutant.change && mutant.text.contains($0.text) }
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
    schedules[index] = Int64(Exhaustion(order.bounds) { trials[index].play() }.schedules)
    (effects + index * Self.sites).update(from: explorer.effects, count: Self.sites)
    if let violation = explorer.violation { say("\(trials[index].name): \(violation)") }
  }

  private func weaken(_ index: Int) {
    let mutant = mutants[index], explorer = Explorer.shared
    let touched = trials.indices.filter { effects[$0 * Self.sites + mutant.number] & mutant.lost != 0 }
      .sorted { schedules[$0] < schedules[$1] }
    for (count, trial) in touched.enumerated() {
      explorer.weakening = nil
      trials[trial].warmUp()
      explorer.weakening = mutant.weakening
      let schedules = Exhaustion(order.bounds) { trials[trial].play() }.schedules
      guard let violation = explorer.violation else { continue }
      verdicts[index] = -Int64(count + 1)
      tell(mutant, "found by \(trials[trial].name), schedule \(schedules): \(violation)")
      return
    }
    verdicts[index] = Int64(touched.count)
    let settled = isSettled(mutant) ? ", settled" : ""
    tell(
      mutant,
      touched.isEmpty ? "makes no difference to any\(settled)" : "not found by \(touched.count)\(settled)")
  }

  private func tell(_ mutant: Mutant, _ words: String) {
    say("\(mutant.number)\t\(mutant.place)\t\(mutant.change)\t\(words)\t\(mutant.text)")
  }

  private func say(_ text: String) {
    let line = text + "\n"
    cshards_print(line, line.utf8.count)
  }
}
