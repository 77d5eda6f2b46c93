import StreamImages
import Testing

@Suite("`DiskUsage`")
struct DiskUsageTests {
  private let limits = DiskLimits(byteCount: 800, count: 100)

  /// After a first look that found `byteCount` bytes.
  private func usage(_ byteCount: Int) -> DiskUsage {
    var usage = DiskUsage()
    let look = usage.beginLook()
    _ = usage.endLook(look, DiskSize(byteCount: byteCount, count: 1), limits)
    return usage
  }

  /// What storing entries of so many bytes needs, one after the other.
  private func needs(_ byteCounts: Int..., of usage: inout DiskUsage) -> [DiskUsage.Need] {
    byteCounts.map { usage.add($0, limits) }
  }

  @Test("`DiskUsage` requests one sweep at first, above the limit, and after many writes")
  func needs() {
    var (fresh, full, empty) = (DiskUsage(), usage(750), usage(0))
    let found = [needs(1, 1, of: &fresh), needs(50, 1, of: &full), needs(100, 1, of: &empty)]

    #expect(found == [[.sweep, .nothing], [.nothing, .sweep], [.nothing, .sweep]])
  }

  @Test("A sweep is repeated only if stores during it exceed the limit")
  func meanwhile() {
    var usage = usage(0)
    let first = usage.beginLook()
    let found = needs(400, 1, of: &usage)
    let isFirstEnough = !usage.endLook(first, DiskSize(byteCount: 500, count: 5), limits)
    let second = usage.beginLook()
    let isSecondEnough = !usage.endLook(second, DiskSize(byteCount: 900, count: 9), limits)

    #expect(found == [.nothing, .waiting])
    #expect(!isFirstEnough)
    #expect(isSecondEnough)
  }

  @Test("A full disk allows eviction again only after a minute or a change")
  func full() {
    let minute = 60_000_000_000
    var usage = usage(0)
    #expect(usage.mayMakeRoom(minute))

    usage.remainsFull(minute)
    #expect(!usage.mayMakeRoom(minute))
    #expect(!usage.mayMakeRoom(2 * minute - 1))
    #expect(usage.mayMakeRoom(2 * minute))
    #expect(usage.mayMakeRoom(minute - 1))

    let changes: [(inout DiskUsage) -> Void] = [
      { $0.hasChanged() }, { $0.emptied() }, { [limits] in _ = $0.add(1, limits) },
    ]
    for change in changes {
      usage.remainsFull(minute)
      change(&usage)
      #expect(usage.mayMakeRoom(minute))
    }
  }

  @Test("A sweep does not count entries that were removed during it")
  func emptied() {
    var usage = usage(0)
    let look = usage.beginLook()
    usage.emptied()
    let looksAgain = usage.endLook(look, DiskSize(byteCount: 790, count: 9), limits)
    let found = needs(50, of: &usage)

    #expect(!looksAgain)
    #expect(found == [.nothing])
  }

  @Test("`DiskUsage` assumes that a sweep by another process reaches the target size")
  func other() {
    var usage = usage(790)
    usage.leaveToOther(limits)
    let found = needs(100, of: &usage)

    #expect(found == [.nothing])
  }
}
