internal import Streams

/// A bounded dictionary with the clock rule of replacement; see ``ImageCache``.
package final class Clock<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  package struct Limits: Sendable {
    package var cost: Int
    package var count: Int
    package var entryRatio = 0.1
    package var lifetime: Duration?
  }

  private let ring: Guarded<ClockRing<Key, Value>>
  private let now: @Sendable () -> ContinuousClock.Instant

  package init(
    costLimit: Int, countLimit: Int, now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    ring = Guarded(ClockRing(Limits(cost: costLimit, count: countLimit)))
    self.now = now
  }

  package func value(for key: Key) -> Value? {
    // What has expired dies outside the lock, as everything below: freeing a large picture takes time.
    let (value, expired) = ring.withLock { $0.value(for: key, now) }
    withExtendedLifetime(expired) {}
    return value
  }

  package func insert(_ value: Value, for key: Key, cost: Int, lifetime: Duration? = nil) {
    let gone = ring.withLock { $0.insert(value, for: key, cost: cost, lifetime: lifetime, now) }
    withExtendedLifetime(gone) {}
  }

  package func remove(_ key: Key) {
    let gone = ring.withLock { $0.remove(key) }
    withExtendedLifetime(gone) {}
  }

  package func removeAll() {
    let gone = ring.withLock { ring in
      defer { ring = ClockRing(ring.limits) }
      return ring
    }
    withExtendedLifetime(gone) {}
  }

  package func trim(toCost cost: Int, count: Int) {
    let gone = ring.withLock { $0.trim(toCost: cost, count: count) }
    withExtendedLifetime(gone) {}
  }

  package var limits: Limits { ring.withLock { $0.limits } }

  package var totals: (cost: Int, count: Int) { ring.withLock { ($0.cost, $0.count) } }

  package func setLimits(_ change: (inout Limits) -> Void) {
    let gone = ring.withLock { ring in
      change(&ring.limits)
      return ring.trim(toCost: ring.limits.cost, count: ring.limits.count)
    }
    withExtendedLifetime(gone) {}
  }
}
