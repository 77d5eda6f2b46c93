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

  /// How many empty entries are stored until one needs something.
  private func count(of usage: inout DiskUsage, until need: DiskUsage.Need) -> Int? {
    (0..<200).first { _ in usage.add(0, limits) == need }
  }

  @Test("Stores during a sweep wait once they exceed half of a limit, by bytes or by number")
  func half() {
    var (bytes, number) = (usage(0), usage(0))
    _ = (bytes.beginLook(), number.beginLook())
    let found = needs(400, 0, 1, of: &bytes)
    let before = count(of: &number, until: .waiting)

    #expect(found == [.nothing, .nothing, .waiting])
    #expect(before == 50)
  }

  @Test("Only the end of the last listing changes the estimate")
  func overtaken() {
    let much = DiskSize(byteCount: 790, count: 9)
    var (twice, removed) = (usage(0), usage(0))
    let first = twice.beginLook()
    _ = twice.beginLook()
    let look = removed.beginLook()
    removed.emptied()
    _ = removed.beginLook()
    let looksAgain = [twice.endLook(first, much, limits), removed.endLook(look, much, limits)]
    let found = [needs(50, of: &twice), needs(50, of: &removed)]

    #expect(looksAgain == [false, false])
    #expect(found == [[.nothing], [.nothing]])
  }

  @Test("Stores during a listing count in the estimate, and a listing without them is not repeated")
  func counted() {
    var (stored, alone) = (usage(0), usage(0))
    let look = stored.beginLook()
    _ = needs(20, of: &stored)
    let looksAgain = [
      stored.endLook(look, DiskSize(byteCount: 740, count: 9), limits),
      alone.endLook(alone.beginLook(), DiskSize(byteCount: 900, count: 9), limits),
    ]
    let found = [needs(40, 1, of: &stored), needs(1, of: &alone)]

    #expect(looksAgain == [false, false])
    #expect(found == [[.nothing, .sweep], [.sweep]])
  }

  @Test("After a sweep by another process, 30 % of the entries are stored before the next sweep")
  func otherLimits() {
    var (full, few, none) = (DiskUsage(), usage(0), DiskUsage())
    _ = full.endLook(full.beginLook(), DiskSize(byteCount: 1, count: 99), limits)
    full.leaveToOther(limits)
    _ = few.beginLook()
    few.leaveToOther(limits)
    none.leaveToOther(limits)
    let counts = [
      count(of: &full, until: .sweep), count(of: &few, until: .sweep), count(of: &none, until: .sweep),
    ]

    #expect(counts == [30, 99, 100])
  }

  @Test("A directory that cannot be listed is tried again by the next entry")
  func unlisted() {
    var usage = DiskUsage()
    _ = usage.beginLook()
    usage.cannotLook()
    let found = needs(1, 1, of: &usage)

    #expect(found == [.sweep, .nothing])
  }

  @Test("Times of use increase, even if the clock stops or is set back")
  func ticks() {
    var usage = DiskUsage()
    let ticks = [1, 5, 5, 3, 100].map { usage.tick($0) }

    #expect(ticks == [1, 5, 6, 7, 100])
  }
}
