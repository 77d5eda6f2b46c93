/// A number of files and their total size.
package struct DiskSize: Equatable, Sendable {
  package var byteCount: Int
  package var count: Int

  package init(byteCount: Int = 0, count: Int = 0) { (self.byteCount, self.count) = (byteCount, count) }

  static func += (left: inout DiskSize, right: DiskSize) {
    left.byteCount += right.byteCount
    left.count += right.count
  }

  static func -= (left: inout DiskSize, right: DiskSize) {
    left.byteCount -= right.byteCount
    left.count -= right.count
  }
}

/// The ages of all files as a histogram. A sweep keeps it in memory instead of a list of files.
///
/// Each time of use has its own bin at first. When there are too many bins, neighbours are merged, all to the same
/// width.
package struct DiskAgeHistogram {
  private static let binLimit = 4_096

  package private(set) var total = DiskSize()
  private var bins: [Int: DiskSize] = [:]
  /// The binary logarithm of a bin's width in nanoseconds.
  private var shift = 0

  package init() {}

  package mutating func add(_ used: Int, _ byteCount: Int) {
    let file = DiskSize(byteCount: byteCount, count: 1)
    total += file
    bins[used >> shift, default: DiskSize()] += file
    while bins.count > Self.binLimit { merge() }
  }

  private mutating func merge() {
    shift += 1
    var merged: [Int: DiskSize] = [:]
    for (bin, size) in bins { merged[bin >> 1, default: DiskSize()] += size }
    bins = merged
  }

  /// - Parameter excess: The least number of bytes and of files to delete.
  /// - Returns: `nil` if nothing has to be deleted.
  package func cut(_ excess: DiskSize) -> DiskCut? {
    guard excess.byteCount > 0 || excess.count > 0 else { return nil }
    var quota = excess
    for bin in bins.keys.sorted() {
      let size = bins[bin]!
      guard size.byteCount < quota.byteCount || size.count < quota.count else {
        return DiskCut(bin: bin, shift: shift, size: size, quota: quota)
      }
      quota -= size
    }
    return bins.keys.max().map { DiskCut(bin: $0, shift: shift, size: bins[$0]!, quota: excess) }
  }
}

/// The files that a sweep deletes: those used before a bin of a ``DiskAgeHistogram``, and some of those in the bin.
package struct DiskCut {
  private let bin: Int
  private let shift: Int
  private let size: DiskSize
  /// How much of the bin is still to be deleted.
  package private(set) var quota: DiskSize

  fileprivate init(bin: Int, shift: Int, size: DiskSize, quota: DiskSize) {
    (self.bin, self.shift, self.size, self.quota) = (bin, shift, size, quota)
  }

  /// Whether the bin should be resolved more finely: it holds many files, of different times.
  package func isCoarse(of total: DiskSize) -> Bool { shift > 0 && size.count > max(16, total.count / 64) }

  /// Returns whether a file is in the bin.
  package func holds(_ used: Int) -> Bool { used >> shift == bin }

  package func deletes(_ used: Int) -> Bool {
    let bin = used >> shift
    return bin < self.bin || (bin == self.bin && (quota.byteCount > 0 || quota.count > 0))
  }

  package mutating func deleted(_ used: Int, _ byteCount: Int) {
    if holds(used) { quota -= DiskSize(byteCount: byteCount, count: 1) }
  }
}
