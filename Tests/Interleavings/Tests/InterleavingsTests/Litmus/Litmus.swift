import Interleavings
import Synchronization

/// A small program whose possible outcomes are known.
struct Litmus: Sendable, CustomStringConvertible {
  enum Order { case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent }

  let description: String
  let outcomes: Set<String>
  let bounds: Bounds
  let make: @Sendable (Run) -> [() -> Void]

  /// - Parameter outcomes: What the threads note down, in the order of their numbers; then the last values of the atomics
  ///   that are ``Run/final``; or `race`.
  init(
    _ description: String, _ outcomes: String,
    within bounds: Bounds = Bounds(preemptions: 8, staleValues: 8, both: 16, time: .seconds(300)),
    _ make: @escaping @Sendable (Run) -> [() -> Void]
  ) {
    self.description = description
    self.outcomes = Set(outcomes.split(separator: " ").map(String.init))
    self.bounds = bounds
    self.make = make
  }

  /// One schedule of it.
  final class Run: @unchecked Sendable {  // one thread of the system
    var notes: [[Int]] = []
    var final: [Word] = []
    var bodies: [() -> Void] = []

    /// What a thread notes down is its own.
    func note(_ value: Int) { unseen { notes[runningThread!].append(value) } }

    var outcome: String {
      (notes.flatMap { $0 } + final.map { $0.load(.relaxed) }).map(String.init).joined()
    }
  }

  final class Word: Sendable {
    private let atomic: Atomic<Int>

    init(_ value: Int = 0) { atomic = Atomic(value) }

    func load(_ order: Order) -> Int {
      switch order {
      case .relaxed: atomic.load(ordering: .relaxed)
      case .acquiring: atomic.load(ordering: .acquiring)
      default: atomic.load(ordering: .sequentiallyConsistent)
      }
    }

    func store(_ value: Int, _ order: Order) {
      switch order {
      case .relaxed: atomic.store(value, ordering: .relaxed)
      case .releasing: atomic.store(value, ordering: .releasing)
      default: atomic.store(value, ordering: .sequentiallyConsistent)
      }
    }

    func add(_ value: Int, _ order: Order) -> Int {
      switch order {
      case .relaxed: atomic.wrappingAdd(value, ordering: .relaxed).oldValue
      default: atomic.wrappingAdd(value, ordering: .acquiringAndReleasing).oldValue
      }
    }

    func exchange(_ expected: Int, _ desired: Int, _ order: Order, _ failure: Order) -> Int {
      switch failure {
      case .relaxed:
        atomic.compareExchange(
          expected: expected, desired: desired, successOrdering: .relaxed, failureOrdering: .relaxed
        ).original
      default:
        atomic.compareExchange(
          expected: expected, desired: desired, successOrdering: .relaxed, failureOrdering: .acquiring
        ).original
      }
    }
  }

  /// A variable without a lock.
  final class Sample: @unchecked Sendable {
    private var value = 0

    init(_: StaticString) {}

    func write() { value = 1 }
    func read() { if value == 2 { fatalError("Nobody writes it.") } }
  }

  /// A lock.
  final class Key: Sendable {
    private let word = Atomic<Bool>(false)

    func take() { while word.exchange(true, ordering: .acquiring) {} }
    func give() { word.store(false, ordering: .releasing) }
  }

  static var all: [Litmus] {
    passing + buffering + readers + sequences + coherence + updates + exclusion + plain
  }
}

extension Bounds {
  static let ofFewPreemptions = Bounds(preemptions: 2, staleValues: 0, both: 2, time: .seconds(300))
  static let ofFourThreads = Bounds(preemptions: 2, staleValues: 4, both: 4, time: .seconds(300))
  /// A thread that waits for a lock may look for as long as it likes.
  static let ofLocks = Bounds(preemptions: 2, staleValues: 2, both: 3, time: .seconds(300))
}
