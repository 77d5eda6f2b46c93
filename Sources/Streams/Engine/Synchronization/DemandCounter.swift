public import Synchronization

/// Outstanding demand, counted without a lock. Unlimited demand costs one load a value.
///
/// A request happens before the delivery of the values that it is for. So it releases, and each load that lets a value
/// pass acquires.
@usableFromInline
package struct DemandCounter: ~Copyable, Sendable {
  /// The demand; `Int.max` is unlimited, and -1 is closed.
  @usableFromInline let word = Atomic<Int>(0)

  @inlinable
  package init() {}

  @inlinable @inline(__always)
  package var isUnlimited: Bool { word.load(ordering: .acquiring) == .max }

  @inlinable
  package var isClosed: Bool { word.load(ordering: .relaxed) < 0 }

  @inlinable
  package var outstanding: Subscribers.Demand {
    switch word.load(ordering: .relaxed) {
    case .max: .unlimited
    case let count: .max(Swift.max(0, count))
    }
  }

  /// Adds `demand`, up to unlimited. False if closed.
  @inlinable @discardableResult
  package borrowing func add(_ demand: Subscribers.Demand) -> Bool { plus(demand) >= 0 }

  /// Adds `demand`, up to unlimited, and returns what there was before: less than zero if closed.
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

  /// Subtracts one, for one value. False if there is no demand.
  @inlinable
  package borrowing func spend() -> Bool {
    while true {
      let count = word.load(ordering: .acquiring)
      if count <= 0 { return false }
      if count == .max { return true }
      let step = word.weakCompareExchange(expected: count, desired: count - 1, ordering: .relaxed)
      if step.exchanged { return true }
    }
  }

  /// Closes the counter. True for the first caller only.
  @inlinable
  package borrowing func close() -> Bool { word.exchange(-1, ordering: .relaxed) >= 0 }

  /// Closes the counter, and returns the demand.
  ///
  /// Releases, so that a thread that finds the counter closed finds the upstream attached.
  @inlinable
  package borrowing func take() -> Subscribers.Demand {
    switch word.exchange(-1, ordering: .acquiringAndReleasing) {
    case .max: .unlimited
    case let count: .max(Swift.max(0, count))
    }
  }
}

// MARK: For a source that sends from within `request`

extension DemandCounter {
  /// Adds `demand`. True if there was none before: then the caller sends.
  @inlinable
  package borrowing func raise(by demand: Subscribers.Demand) -> Bool { plus(demand) == 0 }

  /// Subtracts what was sent, and returns what is left to send. If nothing is left, the caller must stop sending.
  ///
  /// - Returns: `nil` if the counter was closed meanwhile. Then the caller releases what it holds.
  @inlinable
  package borrowing func settle(_ sent: Int) -> Subscribers.Demand? {
    while true {
      let seen = word.load(ordering: .acquiring)
      if seen < 0 { return nil }
      if seen == .max { return .unlimited }
      let step = word.weakCompareExchange(
        expected: seen, desired: seen - sent, successOrdering: .releasing, failureOrdering: .relaxed)
      if step.exchanged { return .max(seen - sent) }
    }
  }

  /// Closes the counter. True if no thread was sending: then the caller releases what it holds.
  @inlinable
  package borrowing func closeWhenIdle() -> Bool { word.exchange(-1, ordering: .acquiring) == 0 }
}
