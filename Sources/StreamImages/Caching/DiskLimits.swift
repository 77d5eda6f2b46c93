/// How much a ``DiskFolder`` may hold, and for how long.
package struct DiskLimits: Sendable {
  package var byteCount = DataCache.defaultSizeLimit
  package var count = Int.max
  package var lifetime: Duration?

  package init(byteCount: Int = DataCache.defaultSizeLimit, count: Int = .max, lifetime: Duration? = nil) {
    (self.byteCount, self.count, self.lifetime) = (byteCount, count, lifetime)
  }

  /// Room for more would have to be made by deleting nearly everything else.
  var entryByteCount: Int { byteCount / 2 }

  /// - Parameters: In nanoseconds since 1970.
  func isOver(_ used: Int, _ now: Int) -> Bool {
    guard let lifetime else { return false }
    let (seconds, attoseconds) = lifetime.components
    let (product, overflows) = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return !overflows && now - used >= product + Int(attoseconds / 1_000_000_000)
  }
}

/// The files that are left while some are deleted.
struct DiskTally {
  private var files: [DiskFile]
  private(set) var byteCount: Int
  var count: Int { files.count }

  init(_ files: [DiskFile]) {
    self.files = files
    byteCount = files.reduce(0) { $0 + $1.size }
  }

  func exceeds(_ limits: DiskLimits) -> Bool { byteCount > limits.byteCount || count > limits.count }

  /// 70 % of what there is too much of: of the bytes, if the disk is full.
  func goal(_ limits: DiskLimits, isFull: Bool) -> (byteCount: Int, count: Int) {
    let hasManyBytes = isFull || byteCount > limits.byteCount
    return (
      hasManyBytes ? min(byteCount, limits.byteCount) / 10 * 7 : .max,
      count > limits.count ? max(0, limits.count * 7 / 10) : .max
    )
  }

  /// What is longest unused comes first. A time to come says that the clock was put back, and nothing else.
  mutating func sortByUse(_ now: Int) {
    files.sort { (min($0.used, now), $0.used) < (min($1.used, now), $1.used) }
  }

  mutating func delete(from home: borrowing Descriptor, where isOver: (DiskFile) -> Bool) {
    delete(from: home) { file, _ in isOver(file) }
  }

  mutating func delete(
    from home: borrowing Descriptor, where mustGo: (DiskFile, (byteCount: Int, count: Int)) -> Bool
  ) {
    var (kept, left) = ([DiskFile](), (byteCount: byteCount, count: files.count))
    for file in files {
      if mustGo(file, left), file.delete(from: home) {
        left = (left.byteCount - file.size, left.count - 1)
      } else {
        kept.append(file)
      }
    }
    (files, byteCount) = (kept, left.byteCount)
  }
}
