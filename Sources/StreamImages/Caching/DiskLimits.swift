/// The limits of a ``DiskFolder``.
package struct DiskLimits: Sendable {
  package var byteCount: Int
  package var count: Int
  package var lifetime: Duration?
  package var synchronizesWrites: Bool

  package init(
    byteCount: Int = DataCache.defaultSizeLimit, count: Int = .max, lifetime: Duration? = nil,
    synchronizesWrites: Bool = false
  ) {
    (self.byteCount, self.count, self.lifetime) = (max(0, byteCount), max(0, count), lifetime)
    self.synchronizesWrites = synchronizesWrites
  }

  /// Storing more would evict nearly everything else.
  var entryByteCount: Int { byteCount / 2 }

  /// - Parameters: Times in nanoseconds since 1970.
  package func isOver(_ used: Int, _ now: Int) -> Bool {
    lifetime.map { .nanoseconds(now - used) >= $0 } ?? false
  }

  /// Returns whether a time of use is so far in the future that the clock must have been set back since. The clocks of
  /// several processes differ by less.
  package func isFuture(_ used: Int, _ now: Int) -> Bool { used - now > 60_000_000_000 }

  package func areExceeded(by size: DiskSize, _ more: DiskSize = DiskSize()) -> Bool {
    size.byteCount + more.byteCount > byteCount || size.count + more.count > count
  }

  /// Returns how much to delete to reach 70 % of each limit that is exceeded; 70 % of the bytes if the disk is full.
  package func excess(of size: DiskSize, isFull: Bool) -> DiskSize {
    var excess = DiskSize()
    if isFull || size.byteCount > byteCount {
      excess.byteCount = size.byteCount - min(size.byteCount, byteCount) / 10 * 7
    }
    if size.count > count { excess.count = size.count - max(0, count / 10 * 7 + count % 10 * 7 / 10) }
    return excess
  }
}
