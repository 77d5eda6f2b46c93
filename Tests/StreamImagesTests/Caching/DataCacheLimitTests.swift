import Foundation
import StreamImages
import Testing

@Suite("`DataCache`: size limits")
struct DataCacheLimitTests {
  private let folder: CacheFolder

  init() throws { folder = try CacheFolder() }

  private func key(_ name: Int) -> DataCacheKey { DataCacheKey("\(name)") }

  private func names(in cache: DataCache, of range: Range<Int>) async -> [Int] {
    var names: [Int] = []
    for name in range where await cache.contains(key(name)) { names.append(name) }
    return names
  }

  @Test("`DataCache` evicts the oldest entries, down to 70 %, as soon as it exceeds its limit")
  func oldest() async throws {
    let cache = folder.cache(limit: 10_000)
    try await cache.store(content(900), for: key(10))
    let byteCount = await cache.totals().byteCount
    let end = 10 + 10_000 / byteCount

    for name in 11..<end { try await cache.store(content(900), for: key(name)) }
    await cache.settle()
    #expect(await names(in: cache, of: 10..<end) == Array(10..<end))
    try await cache.store(content(900), for: key(end))
    await cache.settle()

    let left = 7_000 / byteCount
    #expect(await names(in: cache, of: 10..<(end + 1)) == Array((end + 1 - left)...end))
    #expect(await cache.totals() == (left, left * byteCount))
  }

  @Test("Reading a cached entry counts as use in all instances, even if the clock stands still")
  func recentlyRead() async throws {
    let directory = folder.directory.path
    let limits = DiskLimits(byteCount: 10_000)
    let caches = (0..<2).map { _ in DataCache(.success(directory), limits, now: { 1_000_000_000 }) }
    for name in 0..<9 { try await caches[0].store(content(900), for: key(name)) }

    #expect(await caches[0].data(for: key(1)) != nil)
    #expect(await caches[0].data(for: key(0)) != nil)
    for name in 9..<12 { try await caches[0].store(content(900), for: key(name)) }
    await caches[0].settle()

    let left = await names(in: caches[1], of: 0..<12)
    #expect(left.contains(0))
    #expect(left.contains(1))
    #expect(!left.contains(2))
    #expect(left.contains(11))
  }

  @Test("`DataCache` sweeps bytes that another instance has written")
  func otherInstance() async throws {
    let (one, other) = (folder.cache(limit: 20_000), folder.cache(limit: 1_000_000))
    try await one.store(content(900), for: key(0))
    for name in 1..<30 { try await other.store(content(900), for: key(name)) }
    await one.settle()
    await other.settle()

    for name in 30..<34 { try await one.store(content(900), for: key(name)) }
    await one.settle()

    #expect(await one.totals().byteCount <= 20_000)
    #expect(await one.contains(key(33)))
  }

  @Test("`DataCache` refuses an entry larger than half of its limit")
  func large() async throws {
    let cache = folder.cache(limit: 10_000)

    await #expect {
      try await cache.store(content(5_000), for: key(0))
    } throws: { error in
      if case DataCacheError.entryTooLarge(_, let limit) = error { limit == 5_000 } else { false }
    }

    #expect(await cache.totals().count == 0)
  }

  @Test("An entry of exactly half of the limit is stored")
  func half() async throws {
    let whole = folder.cache()
    try await whole.store(content(900), for: key(0))
    let size = await whole.totals().byteCount
    for (limit, fits) in [(2 * size - 1, false), (2 * size, true), (2 * size + 1, true)] {
      do throws(DataCacheError) {
        try await folder.cache(limit: limit).store(content(900), for: key(0))
        #expect(fits)
      } catch {
        #expect(!fits && error == .entryTooLarge(byteCount: size, limit: size - 1))
      }
    }
  }

  @Test("The first write to a `DataCache` sweeps entries of an earlier run")
  func olderRun() async throws {
    let large = folder.cache(limit: 100_000)
    for name in 0..<30 { try await large.store(content(900), for: key(name)) }

    // A sweep that goes on would be left to the cache that has begun it.
    await large.settle()
    let small = folder.cache(limit: 10_000)
    try await small.store(content(900), for: key(30))
    await small.settle()

    let totals = await large.totals()
    #expect(totals.byteCount <= 7_000)
    #expect(await large.contains(key(30)))
  }

  @Test("`DataCache` sweeps repeatedly in one run, not only at its beginning")
  func longRun() async throws {
    let cache = folder.cache(limit: 10_000)

    for name in 0..<200 {
      try await cache.store(content(900), for: key(name))
      if name % 20 == 0 {
        await cache.settle()
        #expect(await cache.totals().byteCount <= 10_000)
      }
    }
    await cache.settle()

    #expect(await cache.totals().byteCount <= 10_000)
    #expect(await cache.contains(key(199)))
  }

  @Test("`DataCache` keeps to its count limit, and sweeps down to 70 % above it")
  func count() async throws {
    let cache = DataCache(directory: folder.directory, countLimit: 10)

    for name in 0..<11 { try await cache.store(content(name), for: key(name)) }
    await cache.settle()

    #expect(await names(in: cache, of: 0..<11) == Array(4..<11))
  }

  @Test("A cached entry expires unless it was read or written within its lifetime")
  func lifetime() async throws {
    let time = Shared(1_000_000_000_000)
    let limits = DiskLimits(lifetime: .seconds(60))
    let cache = DataCache(.success(folder.directory.path), limits, now: { time.value })
    for name in 0..<3 { try await cache.store(content(10), for: key(name)) }

    time.change { $0 += 40_000_000_000 }
    #expect(await cache.data(for: key(0)) != nil)
    try await cache.store(content(10), for: key(1))
    time.change { $0 += 40_000_000_000 }

    #expect(await names(in: cache, of: 0..<3) == [0, 1])
    #expect(await cache.data(for: key(2)) == nil)
    #expect(await cache.totals().count == 2)
    time.change { $0 += 40_000_000_000 }
    await cache.sweep()
    #expect(await cache.totals().count == 0)
  }

  @Test("A cached entry dated in the future is eventually evicted")
  func future() async throws {
    let time = Shared(9_000_000_000_000)
    let limits = DiskLimits(byteCount: 10_000)
    let cache = DataCache(.success(folder.directory.path), limits, now: { time.value })
    try await cache.store(content(900), for: key(0))

    time.change { $0 = 1_000_000_000_000 }
    let other = DataCache(.success(folder.directory.path), limits, now: { time.value })
    for name in 1..<40 {
      time.change { $0 += 1_000_000_000 }
      try await other.store(content(900), for: key(name))
    }
    time.change { $0 = 9_500_000_000_000 }
    for name in 40..<60 { try await other.store(content(900), for: key(name)) }
    await other.settle()

    #expect(await other.contains(key(0)) == false)
    #expect(await other.contains(key(59)))
  }
}
