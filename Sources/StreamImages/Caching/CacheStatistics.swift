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
