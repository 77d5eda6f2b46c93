import Interleavings

/// The explorer explored: small programs of which it is known what can happen.
public enum SelfCheck {
  /// What is wrong with the explorer. Nothing, one hopes.
  public static var complaints: [String] {
    Litmus.all.compactMap(\.complaint)
      + [orders, lostUpdate, exclusion, deadlock, livelock, servants, replay, searchedOut, leaks].compactMap {
        $0()
      }
  }

  /// Runs through `make` and its schedules; what each of them came to.
  private static func outcomes<Outcome: Hashable>(
    _ preemptions: Int, _ make: () -> (bodies: [() -> Void], outcome: () -> Outcome)
  ) -> Set<Outcome> {
    let explorer = Explorer.shared
    var found: Set<Outcome> = []
    explorer.begin(.exhaustive(Bounds(preemptions: preemptions)))
    repeat {
      explorer.prepare()
      let (bodies, outcome) = make()
      explorer.run(bodies)
      found.insert(outcome())
    } while explorer.advance()
    return found
  }

  /// Two fibers with three writes each, to one object: every order with so few preemptions is found, and no other.
  private static func orders() -> String? {
    for bound in 0...3 {
      let found = outcomes(bound) {
        let object = Explorer.shared.newObject()
        let order = Log()
        let bodies = (0..<2).map { fiber in
          {
            for _ in 0..<3 {
              Explorer.shared.point(object)
              order.entries.append(fiber)
            }
          }
        }
        return (bodies, { order.entries })
      }
      let expected = Set(merges(3, 3).filter { preemptions(in: $0) <= bound })
      if found != expected { return "\(found.count) of \(expected.count) orders with \(bound) preemptions" }
    }
    return nil
  }

  private static func merges(_ zeros: Int, _ ones: Int) -> [[Int]] {
    if zeros == 0, ones == 0 { return [[]] }
    return (zeros > 0 ? merges(zeros - 1, ones).map { [0] + $0 } : [])
      + (ones > 0 ? merges(zeros, ones - 1).map { [1] + $0 } : [])
  }

  /// A change of fibers is one, unless the first had ended.
  private static func preemptions(in order: [Int]) -> Int {
    order.indices.dropFirst().count { order[$0] != order[$0 - 1] && order[$0...].contains(order[$0 - 1]) }
  }

  private static func lostUpdate() -> String? {
    let found = outcomes(1) {
      let object = Explorer.shared.newObject()
      let sum = Log()
      let body = {
        Explorer.shared.point(object, isWrite: false)
        let seen = sum.number
        Explorer.shared.point(object)
        sum.number = seen + 1
      }
      return ([body, body], { sum.number })
    }
    return found == [1, 2] ? nil : "an update that may be lost comes to \(found.sorted())"
  }

  private static func exclusion() -> String? {
    let found = outcomes(2) {
      let (object, lock) = (Explorer.shared.newObject(), Key())
      let sum = Log()
      let body = {
        lock.take()
        Explorer.shared.point(object, isWrite: false)
        let seen = sum.number
        Explorer.shared.point(object)
        sum.number = seen + 1
        lock.give()
      }
      return ([body, body, body], { sum.number })
    }
    return found == [3] ? nil : "an update under a lock comes to \(found.sorted())"
  }

  private static func deadlock() -> String? {
    let found = outcomes(1) {
      let (one, other) = (Key(), Key())
      let bodies = [(one, other), (other, one)].map { first, second in
        {
          first.take()
          second.take()
          second.give()
          first.give()
        }
      }
      return (bodies, { Explorer.shared.violation != nil })
    }
    return found == [false, true] ? nil : "two locks in two orders: \(found)"
  }

  private static func livelock() -> String? {
    let found = outcomes(0) {
      let object = Explorer.shared.newObject()
      return ([{ while true { Explorer.shared.point(object) } }], { Explorer.shared.violation != nil })
    }
    return found == [true] ? nil : "a loop without end is not seen"
  }

  private static func servants() -> String? {
    let explorer = Explorer.shared
    explorer.begin(.random)
    explorer.prepare(seed: 7)
    let object = explorer.newObject()
    let log = Log()
    let serve = {
      while true {
        explorer.wait(for: object) { log.number > 0 || explorer.isOver }
        if log.number == 0 { return }
        log.number -= 1
        log.entries.append(1)
      }
    }
    explorer.run(
      [
        {
          explorer.point(object)
          log.number += 2
        }
      ], servants: [serve])
    return explorer.violation == nil && log.entries == [1, 1]
      ? nil : "a servant did \(log.entries.count) of 2 jobs"
  }

  /// The same seed makes the same schedule, and another one another.
  private static func replay() -> String? {
    func order(_ seed: UInt64, _ strategy: Strategy) -> [Int] {
      Explorer.shared.begin(strategy)
      Explorer.shared.prepare(seed: seed)
      let object = Explorer.shared.newObject()
      let log = Log()
      Explorer.shared.run(
        (0..<3).map { fiber in
          {
            for _ in 0..<5 {
              Explorer.shared.point(object)
              log.entries.append(fiber)
            }
          }
        }, expectedSteps: 15)
      return log.entries
    }
    for strategy in [Strategy.random, .priorities(depth: 3)] {
      let orders = (1...50).map { order($0, strategy) }
      if orders != (1...50).map({ order($0, strategy) }) { return "a seed makes two schedules" }
      if Set(orders).count < 10 { return "fifty seeds make \(Set(orders).count) schedules" }
    }
    return nil
  }

  private final class Log {
    var entries: [Int] = []
    var number = 0
  }
}
