/// What has happened in a cache in memory since it was made.
public struct CacheStatistics: Sendable, Hashable {
  /// Reads that found something.
  public var hits = 0
  /// Reads that found nothing, or something expired.
  public var misses = 0
  /// Entries that had to go as there was no room.
  public var evictions = 0
  /// Entries found to have lived too long.
  public var expirations = 0
  /// Entries that were too large to be taken in.
  public var rejections = 0

  /// Figures of a cache that nobody has read.
  public init() {}

  /// The share of reads that found something; 0 before the first.
  public var hitRatio: Double { hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses) }
}

/// What reading does to the time an entry has left.
public enum LifetimeExtension: Sendable, Hashable {
  /// Nothing: an entry lives as long as it was put in for.
  case never
  /// It has its whole lifetime before it again.
  case byLifetime
  /// It lives so long from now on.
  case by(Duration)
}
