/// An estimate of the size of a ``DiskFolder``, without listing its files.
package struct DiskUsage {
  /// The next step that storing an entry requires.
  package enum Need: Equatable {
    case nothing
    case sweep
    /// So much was stored during a sweep that the next entry must wait for its end.
    case waiting
  }

  /// `nil` before the first listing.
  private var size: DiskSize?
  private var addedSinceLook = DiskSize()
  /// Whether a sweep is scheduled or running.
  private var awaitsSweep = false
  private var lookNumber = 0
  private var lastTick = 0
  /// When the disk was full although a sweep had made room.
  private var fullSince: Int?

  package init() {}

  /// A sweep is needed at first, when the estimate exceeds a limit, and from time to time, because other processes
  /// write too.
  package mutating func add(_ byteCount: Int, _ limits: DiskLimits) -> Need {
    let file = DiskSize(byteCount: byteCount, count: 1)
    hasChanged()
    addedSinceLook += file
    size? += file
    if awaitsSweep {
      let isMuch =
        addedSinceLook.byteCount > limits.byteCount / 2 || addedSinceLook.count > limits.count / 2
      return isMuch ? .waiting : .nothing
    }
    awaitsSweep =
      size.map { limits.areExceeded(by: $0) } ?? true || addedSinceLook.byteCount > limits.byteCount / 8
    return awaitsSweep ? .sweep : .nothing
  }

  /// Whether a sweep may help on a full disk. One that did not help would cost each store O(n) and all entries, so it is
  /// not repeated for a minute, or until something was stored or removed.
  ///
  /// - Parameter now: In nanoseconds.
  package func mayMakeRoom(_ now: Int) -> Bool {
    guard let fullSince else { return true }
    return !(0..<60_000_000_000).contains(now - fullSince)
  }

  /// The disk is still full after a sweep.
  package mutating func remainsFull(_ now: Int) { fullSince = now }

  /// Something was stored or removed.
  package mutating func hasChanged() { fullSince = nil }

  package mutating func beginLook() -> Int {
    addedSinceLook = DiskSize()
    awaitsSweep = true
    lookNumber += 1
    return lookNumber
  }

  /// Entries stored during the listing may be counted twice.
  ///
  /// - Returns: Whether to list the files again.
  package mutating func endLook(_ number: Int, _ left: DiskSize, _ limits: DiskLimits) -> Bool {
    awaitsSweep = false
    guard number == lookNumber else { return false }
    let wasAlone = addedSinceLook.count == 0
    size = left
    size? += addedSinceLook
    return !wasAlone && limits.areExceeded(by: left, addedSinceLook)
  }

  /// Another process sweeps; assumes that it leaves 70 % of the entries. How many bytes are left makes no difference: an eighth of
  /// the limit is stored until the next sweep.
  package mutating func leaveToOther(_ limits: DiskLimits) {
    awaitsSweep = false
    size = DiskSize(count: min(size?.count ?? 0, limits.count / 10 * 7))
  }

  /// The directory can be neither listed nor swept.
  package mutating func cannotLook() { awaitsSweep = false }

  package mutating func emptied() {
    lookNumber += 1
    (size, addedSinceLook) = (DiskSize(), DiskSize())
    hasChanged()
  }

  /// Returns a time of use later than all before, even if the clock stops or is set back.
  package mutating func tick(_ now: Int) -> Int {
    lastTick = max(now, lastTick + 1)
    return lastTick
  }
}
