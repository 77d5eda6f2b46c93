/// What a ``DiskFolder`` believes about its size without looking.
struct DiskUsage {
  /// `nil` before the first look.
  private(set) var byteCount: Int?
  private var count = 0
  private var addedSinceLook = 0
  private var lastTick = 0

  /// Whether it is time to look again: at first, when the limit is passed by what we know of, and now and then, as
  /// other processes write too.
  mutating func mustLook(afterAdding size: Int, _ limits: DiskLimits) -> Bool {
    addedSinceLook += size
    count += 1
    guard let before = byteCount else { return true }
    byteCount = before + size
    return before + size > limits.byteCount || count > limits.count || addedSinceLook > limits.byteCount / 8
  }

  mutating func looked(_ size: Int, count: Int) {
    byteCount = size
    self.count = count
    addedSinceLook = 0
  }

  /// A time of use that is later than all before, even if the clock stands still or goes back.
  mutating func tick(_ now: Int) -> Int {
    lastTick = max(now, lastTick + 1)
    return lastTick
  }
}
