public import Synchronization

/// Outstanding demand, counted without a lock. Unlimited demand costs one load a value.
@usableFromInline
package struct Tally: ~Copyable, Sendable {
  /// How many are asked for; `Int.max` is unlimited, and -1 says that nobody asks any more.
  @usableFromInline let word = Atomic<Int>(0)

  @inlinable
  package init() {}

  @inlinable @inline(__always)
  package var isUnlimited: Bool { word.load(ordering: .relaxed) == .max }

  @inlinable
  package var isClosed: Bool { word.load(ordering: .acquiring) < 0 }

  @inlinable
  package var outstanding: Subscribers.Demand {
    switch word.load(ordering: .acquiring) {
    case .max: .unlimited
    case let count: .max(Swift.max(0, count))
    }
  }

  /// Adds `demand`, up to unlimited. False if closed.
  @inlinable @discardableResult
  package borrowing func add(_ demand: Subscribers.Demand) -> Bool { plus(demand) >= 0 }

  /// Adds `demand`, up to unlimited, and answers what there was before: less than zero if closed.
  @inlinable
  borrowing func plus(_ demand: Subscribers.Demand) -> Int {
    var seen = word.load(ordering: .relaxed)
    while true {
      if seen < 0 { return seen }
      let (sum, overflow) = seen.addingReportingOverflow(demand.max ?? .max)
      let step = word.weakCompareExchange(
        expected: seen, desired: overflow ? .max : sum,
        successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if step.exchanged { return seen }
      seen = step.original
    }
  }

  /// Takes one off, for one value. False if none is asked for.
  @inlinable
  package borrowing func spend() -> Bool {
    var seen = word.load(ordering: .relaxed)
    while true {
      if seen <= 0 { return false }
      if seen == .max { return true }
      let step = word.weakCompareExchange(
        expected: seen, desired: seen - 1, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
      if step.exchanged { return true }
      seen = step.original
    }
  }

  /// Ends the counting. True for the first caller only.
  @inlinable
  package borrowing func close() -> Bool { word.exchange(-1, ordering: .acquiringAndReleasing) >= 0 }

  /// Ends the counting, and answers what is outstanding.
  @inlinable
  package borrowing func take() -> Subscribers.Demand {
    switch word.exchange(-1, ordering: .acquiringAndReleasing) {
    case .max: .unlimited
    case let count: .max(Swift.max(0, count))
    }
  }
}

// MARK: For a source that sends from within `request`

extension Tally {
  /// Adds `demand`. True if there was none before: then the caller is the one who sends.
  @inlinable
  package borrowing func raise(by demand: Subscribers.Demand) -> Bool { plus(demand) == 0 }

  /// Takes off what was sent, and answers what is left to send. With nothing left, nobody sends any more.
  ///
  /// - Returns: `nil` if the counting was ended meanwhile. Then it is up to the caller to put things away.
  @inlinable
  package borrowing func settle(_ sent: Int) -> Subscribers.Demand? {
    var seen = word.load(ordering: .acquiring)
    while true {
      if seen < 0 { return nil }
      if seen == .max { return .unlimited }
      let step = word.weakCompareExchange(
        expected: seen, desired: seen - sent, successOrdering: .acquiringAndReleasing,
        failureOrdering: .relaxed)
      if step.exchanged { return .max(seen - sent) }
      seen = step.original
    }
  }

  /// Ends the counting. True if nobody was sending: then the caller puts things away.
  @inlinable
  package borrowing func closeWhenIdle() -> Bool { word.exchange(-1, ordering: .acquiringAndReleasing) == 0 }
}
