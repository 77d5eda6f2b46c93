internal import Streams

/// A bounded dictionary with the clock rule of replacement; see ``ImageCache``.
package final class Clock<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  package struct Limits: Sendable {
    package var cost: Int
    package var count: Int
    package var entryRatio = 0.1
    package var lifetime: Duration?
    package var extending = LifetimeExtension.never
  }

  private let ring: Guarded<ClockRing<Key, Value>>
  private let now: @Sendable () -> ContinuousClock.Instant

  package init(
    costLimit: Int, countLimit: Int, entryRatio: Double = 0.1,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    var limits = Limits(cost: costLimit, count: countLimit)
    limits.entryRatio = entryRatio
    ring = Guarded(ClockRing(limits))
    self.now = now
  }

  package func value(for key: Key) -> Value? {
    // What has expired dies outside the lock, as everything below: freeing a large picture takes time.
    let (value, expired) = ring.withLock { $0.value(for: key, now) }
    withExtendedLifetime(expired) {}
    return value
  }

  /// The same for one who asks again if there is nothing: it does not count as a miss.
  package func hit(for key: Key) -> Value? {
    let (value, expired) = ring.withLock { ring in
      ring.contains(key) ? ring.value(for: key, now) : (nil, nil)
    }
    withExtendedLifetime(expired) {}
    return value
  }

  /// - Parameter isProvisional: Whether it gives way to what is there, unless that is provisional too.
  package func insert(
    _ value: Value, for key: Key, cost: Int, lifetime: Duration? = nil, isProvisional: Bool = false
  ) {
    let gone = ring.withLock {
      $0.insert(value, for: key, cost: cost, lifetime: lifetime, isProvisional: isProvisional, now)
    }
    withExtendedLifetime(gone) {}
  }

  @discardableResult
  package func remove(_ key: Key) -> Value? { ring.withLock { $0.remove(key) } }

  /// Removes, and gives what has not expired.
  package func take(_ key: Key) -> Value? {
    let (value, expired) = ring.withLock { ring in
      let found = ring.value(for: key, now)
      if found.value != nil { _ = ring.remove(key) }
      return found
    }
    withExtendedLifetime(expired) {}
    return value
  }

  package func removeAll() {
    let gone = ring.withLock { ring in
      defer { ring = ring.emptied() }
      return ring
    }
    withExtendedLifetime(gone) {}
  }

  package func removeExpired() {
    let gone = ring.withLock { $0.removeExpired(now()) }
    withExtendedLifetime(gone) {}
  }

  package func trim(toCost cost: Int, count: Int) {
    let gone = ring.withLock { $0.trim(toCost: cost, count: count) }
    withExtendedLifetime(gone) {}
  }

  package var limits: Limits { ring.withLock { $0.limits } }

  package var totals: (cost: Int, count: Int) { ring.withLock { ($0.cost, $0.count) } }

  package var statistics: CacheStatistics { ring.withLock { $0.statistics } }

  package func setLimits(_ change: (inout Limits) -> Void) {
    let gone = ring.withLock { ring in
      change(&ring.limits)
      return ring.trim(toCost: ring.limits.cost, count: ring.limits.count)
    }
    withExtendedLifetime(gone) {}
  }
}
