import Interleavings

/// A small program whose possible outcomes are known: it checks the explorer's memory. The tests of the product
/// `Interleavings` have the same programs, by links to these files.
struct Litmus {
  typealias Order = MemoryOrder

  let name: String
  let outcomes: Set<String>
  let bounds: Bounds
  let make: (Run) -> [() -> Void]

  /// - Parameter outcomes: What the fibers note down, in the order of their numbers; then the last values of the atomics
  ///   that are ``Run/final``.
  init(
    _ name: String, _ outcomes: String, within bounds: Bounds = Bounds(preemptions: 8, stale: 8),
    _ make: @escaping (Run) -> [() -> Void]
  ) {
    self.name = name
    self.outcomes = Set(outcomes.split(separator: " ").map(String.init))
    self.bounds = bounds
    self.make = make
  }

  /// One schedule of it.
  final class Run {
    var notes: [[Int]] = []
    var final: [Word] = []

    func note(_ value: Int) { notes[Explorer.shared.runner].append(value) }
  }

  final class Word {
    let atomic: Atomic<Int>

    init(_ value: Int = 0) { atomic = Atomic(value) }

    func load(_ order: Order) -> Int { atomic.load(ordering: order) }
    func store(_ value: Int, _ order: Order) { atomic.store(value, ordering: order) }
    func add(_ value: Int, _ order: Order) -> Int { atomic.wrappingAdd(value, ordering: order).oldValue }
    func exchange(_ expected: Int, _ desired: Int, _ order: Order, _ failure: Order) -> Int {
      atomic.compareExchange(
        expected: expected, desired: desired, successOrdering: order, failureOrdering: failure
      ).original
    }
  }

  /// What is wrong, if anything.
  var complaint: String? {
    let explorer = Explorer.shared
    var found: Set<String> = []
    explorer.begin(.exhaustive(bounds))
    repeat {
      explorer.prepare()
      let run = Run()
      let bodies = make(run)
      run.notes = bodies.map { _ in [] }
      explorer.run(bodies)
      if explorer.violation?.hasPrefix("X13") == true {
        found.insert("race")
      } else if let violation = explorer.violation {
        found.insert("[\(violation)]")
      } else {
        let numbers = run.notes.flatMap { $0 } + run.final.map { $0.load(.relaxed) }
        found.insert(numbers.map(String.init).joined())
      }
    } while explorer.advance()
    if found == outcomes { return nil }
    let (more, fewer) = (found.subtracting(outcomes).sorted(), outcomes.subtracting(found).sorted())
    return "\(name): outcomes that cannot be: \(more); that are not found: \(fewer)"
  }

  static var all: [Litmus] {
    passing + buffering + readers + sequences + coherence + updates + exclusion + plain + [weakExchange]
  }

  /// Compiled code has no such exchange, so the programs that both explorers have do not either.
  private static var weakExchange: Litmus {
    Litmus("a weak exchange", "0 1") { run in
      let x = Word()
      return [
        {
          let exchange = x.atomic.weakCompareExchange(
            expected: 0, desired: 1, successOrdering: .relaxed, failureOrdering: .relaxed)
          run.note(exchange.exchanged ? 1 : 0)
        }
      ]
    }
  }
}

extension Bounds {
  static let ofFewPreemptions = Bounds(preemptions: 2)
  static let ofFourThreads = Bounds(preemptions: 8, stale: 8)
  static let ofLocks = Bounds(preemptions: 8, stale: 8)
}

/// A lock of the explorer's.
final class Key {
  private let place = Explorer.shared.newPlace()

  func take() { Explorer.shared.acquire(place) }
  func give() { Explorer.shared.release(place) }
}
