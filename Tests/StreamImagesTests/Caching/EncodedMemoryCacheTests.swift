import Foundation
import StreamImages
import Testing

@Suite("`EncodedMemoryCache`")
struct EncodedMemoryCacheTests {
  private let folder: CacheFolder
  private let key = DataCacheKey("a")

  init() throws { folder = try CacheFolder() }

  @Test("`EncodedMemoryCache` keeps entries read from disk and returns them without it")
  func levels() async throws {
    let disk = folder.cache()
    try await disk.store(content(100), for: key)
    let cache = EncodedMemoryCache(over: disk)

    #expect(await cache.data(for: key) == content(100))
    await disk.removeAll()

    #expect(await cache.data(for: key) == content(100))
    #expect(await cache.contains(key))
    #expect(cache.statistics.hits == 2)
    #expect(cache.statistics.misses == 1)
  }

  @Test("`EncodedMemoryCache` stores in memory and on disk, and removes from both")
  func both() async throws {
    let disk = folder.cache()
    let cache = EncodedMemoryCache(over: disk)
    try await cache.store(content(100), for: key)
    #expect(await disk.data(for: key) == content(100))

    await cache.remove(key)
    #expect(await cache.contains(key) == false)
    #expect(await disk.contains(key) == false)

    try await cache.store(content(100), for: key)
    await cache.removeAll()
    #expect(await cache.data(for: key) == nil)
    #expect(cache.totalCost == 0)
  }

  @Test("`EncodedMemoryCache` keeps an entry that the disk refuses, and throws the error")
  func refused() async throws {
    let cache = EncodedMemoryCache(over: ScriptedDataCache(error: .diskFull))

    await #expect(throws: DataCacheError.diskFull) { try await cache.store(content(100), for: key) }

    #expect(await cache.data(for: key) == content(100))
  }

  @Test(
    "`EncodedMemoryCache` works without a disk, within its byte and count limits",
    arguments: [(1_000, 3, 3), (600, 100, 5)])
  func limits(_ row: (byteLimit: Int, countLimit: Int, left: Int)) async throws {
    let cache = EncodedMemoryCache(over: nil, byteLimit: row.byteLimit, countLimit: row.countLimit)

    for name in 0..<8 { try await cache.store(content(100), for: DataCacheKey("\(name)")) }
    try await cache.store(content(400), for: key)

    var left: [Int] = []
    for name in 0..<8 where await cache.contains(DataCacheKey("\(name)")) { left.append(name) }
    #expect(left == Array((8 - row.left)..<8))
    #expect(await cache.contains(key) == false)
  }

  @Test(
    "`EncodedMemoryCache` does not keep a value that was removed or replaced while being read",
    arguments: Change.allCases)
  func changedMeanwhile(change: Change) async throws {
    let disk = ChangingDisk()
    let cache = EncodedMemoryCache(over: disk)
    await disk.store(content(100), for: key)
    disk.onRead { [key] in
      switch change {
      case .removal: await cache.remove(key)
      case .removalOfAll: await cache.removeAll()
      case .store: try? await cache.store(content(50), for: key)
      }
    }

    _ = await cache.data(for: key)

    #expect(cache.immediateData(for: key) == (change == .store ? content(50) : nil))
  }

  enum Change: CaseIterable { case removal, removalOfAll, store }
}
