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

/// A number of files and their total size.
package struct DiskSize: Equatable, Sendable {
  package var byteCount: Int
  package var count: Int

  package init(byteCount: Int = 0, count: Int = 0) { (self.byteCount, self.count) = (byteCount, count) }

  /// Whether there are bytes or files.
  var isSome: Bool { byteCount > 0 || count > 0 }

  static func += (left: inout DiskSize, right: DiskSize) {
    left.byteCount += right.byteCount
    left.count += right.count
  }

  static func -= (left: inout DiskSize, right: DiskSize) {
    left.byteCount -= right.byteCount
    left.count -= right.count
  }
}

/// The files that a sweep deletes: those used before a time, and some of those used at that time.
package struct DiskCut {
  package typealias File = (used: Int, byteCount: Int)

  private let time: Int
  /// How much of what was used at that time is still to be deleted.
  private var quota: DiskSize

  /// - Parameter excess: The least number of bytes and of files to delete.
  /// - Returns: `nil` if nothing has to be deleted.
  package init?(_ files: [File], _ excess: DiskSize) {
    guard excess.isSome, !files.isEmpty else { return nil }
    var (time, quota, left) = (0, excess, excess)
    for file in files.sorted(by: { $0.used < $1.used }) {
      if file.used > time { (time, quota) = (file.used, left) }
      left -= DiskSize(byteCount: file.byteCount, count: 1)
      if !left.isSome { break }
    }
    (self.time, self.quota) = (time, quota)
  }

  package func deletes(_ used: Int) -> Bool { used < time || used == time && quota.isSome }

  package mutating func deleted(_ used: Int, _ byteCount: Int) {
    if used == time { quota -= DiskSize(byteCount: byteCount, count: 1) }
  }
}
