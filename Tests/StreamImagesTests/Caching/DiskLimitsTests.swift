import StreamImages
import Testing

@Suite("`DiskLimits`")
struct DiskLimitsTests {
  private let limits = DiskLimits(byteCount: 1_000, count: 15)

  @Test("By default, a disk cache limits bytes only, and leaves the order of writes to the system")
  func defaults() {
    let limits = DiskLimits()

    #expect(limits.byteCount == DataCache.defaultSizeLimit)
    #expect(limits.count == .max)
    #expect(limits.lifetime == nil)
    #expect(!limits.synchronizesWrites)
  }

  @Test("An entry is over as soon as its lifetime has passed, to the nanosecond")
  func lifetime() {
    let second = 1_000_000_000
    func isOver(_ lifetime: Duration?, _ age: Int) -> Bool {
      DiskLimits(lifetime: lifetime).isOver(100, 100 + age)
    }

    #expect(!isOver(.milliseconds(1_500), 1_500_000_000 - 1))
    #expect(isOver(.milliseconds(1_500), 1_500_000_000))
    #expect(!isOver(.seconds(2), 2 * second - 1))
    #expect(isOver(.seconds(2), 2 * second))
    #expect(isOver(.zero, 0))
    #expect(!isOver(nil, .max - 100))
    for lifetime in [.seconds(Int64.max), .nanoseconds(Int.max) + .milliseconds(100)] as [Duration] {
      #expect(!isOver(lifetime, .max - 100))
    }
  }

  @Test("A time of use is in the future from one minute on")
  func future() {
    #expect(!limits.isFuture(60_000_000_005, 5))
    #expect(limits.isFuture(60_000_000_006, 5))
  }

  @Test("Limits are exceeded by one byte or one entry more than they allow")
  func exceeded() {
    let most = DiskSize(byteCount: 1_000, count: 15)
    #expect(!limits.areExceeded(by: most))
    #expect(limits.areExceeded(by: most, DiskSize(byteCount: 1)))
    #expect(limits.areExceeded(by: most, DiskSize(count: 1)))
    #expect(!limits.areExceeded(by: DiskSize(byteCount: 999, count: 14), DiskSize(byteCount: 1, count: 1)))
  }

  @Test("A cache above a limit is swept down to 70 % of it, and by 30 % of its bytes on a full disk")
  func excess() {
    func excess(_ byteCount: Int, _ count: Int, isFull: Bool = false, of limits: DiskLimits? = nil) -> [Int] {
      let size = DiskSize(byteCount: byteCount, count: count)
      let excess = (limits ?? self.limits).excess(of: size, isFull: isFull)
      return [excess.byteCount, excess.count]
    }

    #expect(excess(1_000, 15) == [0, 0])
    #expect(excess(1_001, 16) == [301, 6])
    #expect(excess(500, 3, isFull: true) == [150, 0])
    #expect(excess(2_000, 3, isFull: true) == [1_300, 0])
    #expect(excess(0, 2, of: DiskLimits(count: 1)) == [0, 2])
    #expect(excess(0, 9, of: DiskLimits(count: 8)) == [0, 4])
  }
}
