/// What a ``DiskFolder`` believes about its size without looking.
package struct DiskUsage {
  /// What follows from storing an entry.
  package enum Need: Equatable {
    case nothing
    case sweep
    /// So much was stored while a sweep goes on that the next entry has to wait for its end.
    case waiting
  }

  /// `nil` before the first look.
  private var size: DiskSize?
  private var addedSinceLook = DiskSize()
  /// Whether a sweep is to come, or goes on.
  private var awaitsSweep = false
  private var lookNumber = 0
  private var lastTick = 0

  package init() {}

  /// A sweep is needed at first, when the limit is passed by what we know of, and now and then, as other processes
  /// write too.
  package mutating func add(_ byteCount: Int, _ limits: DiskLimits) -> Need {
    let file = DiskSize(byteCount: byteCount, count: 1)
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

  package mutating func beginLook() -> Int {
    addedSinceLook = DiskSize()
    awaitsSweep = true
    lookNumber += 1
    return lookNumber
  }

  /// What was stored during the look may be counted twice: it may have been seen, or not.
  ///
  /// - Returns: Whether to look again.
  package mutating func endLook(_ number: Int, _ left: DiskSize, _ limits: DiskLimits) -> Bool {
    awaitsSweep = false
    guard number == lookNumber else { return false }
    let wasAlone = addedSinceLook.count == 0
    size = left
    size? += addedSinceLook
    return !wasAlone && limits.areExceeded(by: left, addedSinceLook)
  }

  /// Somebody else sweeps, and leaves what a sweep leaves.
  package mutating func leaveToOther(_ limits: DiskLimits) {
    awaitsSweep = false
    size = DiskSize(byteCount: limits.byteCount / 10 * 7, count: min(size?.count ?? 0, limits.count / 10 * 7))
  }

  /// Nothing can be looked at, nor swept.
  mutating func cannotLook() { awaitsSweep = false }

  package mutating func emptied() {
    lookNumber += 1
    (size, addedSinceLook) = (DiskSize(), DiskSize())
  }

  /// A time of use that is later than all before, even if the clock stands still or goes back.
  mutating func tick(_ now: Int) -> Int {
    lastTick = max(now, lastTick + 1)
    return lastTick
  }
}
