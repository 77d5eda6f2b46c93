internal import Streams

/// A bounded dictionary that evicts by the clock rule; see ``ImageCache``.
package final class ClockCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  package struct Limits: Sendable {
    package var cost: Int
    package var count: Int
    package var entryRatio = 0.25
    package var lifetime: Duration?
    package var extending = LifetimeExtension.never
  }

  private let ring: Guarded<ClockRing<Key, Value>>
  private let now: @Sendable () -> ContinuousClock.Instant

  package init(
    costLimit: Int, countLimit: Int, entryRatio: Double = 0.25,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    var limits = Limits(cost: costLimit, count: countLimit)
    limits.entryRatio = entryRatio
    ring = Guarded(ClockRing(limits))
    self.now = now
  }

  package func value(for key: Key) -> Value? {
    // Expired values are released outside the lock, here and below: freeing a large image takes time.
    let (value, expired) = ring.withLock { $0.value(for: key, now) }
    withExtendedLifetime(expired) {}
    return value
  }

  /// Returns the value for `key`. Not counted as a miss if there is none, because the caller looks elsewhere next.
  package func hit(for key: Key) -> Value? {
    let (value, expired) = ring.withLock { ring in
      ring.contains(key) ? ring.value(for: key, now) : (nil, nil)
    }
    withExtendedLifetime(expired) {}
    return value
  }

  /// - Parameter isProvisional: Whether the value is dropped if there is a value that is not provisional.
  /// - Returns: Values that were evicted or replaced, for callers that have a lock of their own.
  @discardableResult
  package func insert(
    _ value: Value, for key: Key, cost: Int, lifetime: Duration? = nil, isProvisional: Bool = false
  ) -> [Value] {
    ring.withLock {
      $0.insert(value, for: key, cost: cost, lifetime: lifetime, isProvisional: isProvisional, now)
    }
  }

  @discardableResult
  package func remove(_ key: Key) -> Value? { ring.withLock { $0.remove(key) } }

  /// Removes the value for `key`, and returns it unless it has expired.
  package func take(_ key: Key) -> Value? {
    let (value, expired) = ring.withLock { ring in
      let found = ring.value(for: key, now)
      _ = ring.remove(key)
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

/// Counters of a memory cache, since it was created.
public struct CacheStatistics: Sendable, Hashable {
  /// Reads that found an entry.
  public var hits = 0
  /// Reads that found no entry, or an expired one.
  public var misses = 0
  /// Entries that were evicted.
  public var evictions = 0
  /// Entries that were removed because they had expired.
  public var expirations = 0
  /// Entries that were not stored, because the limits do not allow them.
  public var rejections = 0

  /// Creates counters of zero.
  public init() {}

  /// The share of reads that found an entry, from 0 to 1. 0 before the first read.
  public var hitRatio: Double { hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses) }
}

/// How reading an entry extends its lifetime.
public enum LifetimeExtension: Sendable, Hashable {
  /// Not at all: the entry expires at the time set when it was stored.
  case never
  /// By the whole lifetime, from now on.
  case byLifetime
  /// By this duration, from now on.
  case by(Duration)
}
