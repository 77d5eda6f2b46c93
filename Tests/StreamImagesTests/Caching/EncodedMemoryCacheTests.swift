import Foundation
import StreamImages
import Testing

@Suite("EncodedMemoryCache")
struct EncodedMemoryCacheTests {
  private let folder: CacheFolder
  private let key = DataCacheKey("a")

  init() throws { folder = try CacheFolder() }

  @Test("A3.11: gives what it has without the disk, and keeps what the disk had")
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

  @Test("A3.11: stores in both, removes from both")
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

  @Test("A3.11: keeps what the disk refuses, and says that it did")
  func refused() async throws {
    let cache = EncodedMemoryCache(over: ScriptedDataCache(error: .diskFull))

    await #expect(throws: DataCacheError.diskFull) { try await cache.store(content(100), for: key) }

    #expect(await cache.data(for: key) == content(100))
  }

  @Test("A3.11: works without a disk, within its limits of bytes and entries")
  func limits() async throws {
    let cache = EncodedMemoryCache(over: nil, byteLimit: 1_000, countLimit: 3)

    for name in 0..<5 { try await cache.store(content(100), for: DataCacheKey("\(name)")) }
    try await cache.store(content(400), for: key)

    #expect(cache.totalCost <= 1_000)
    #expect(await cache.contains(DataCacheKey("1")) == false)
    #expect(await cache.contains(DataCacheKey("4")))
    #expect(await cache.contains(key) == false)
  }

  @Test("A3.11: does not keep what was removed or replaced while it was read", arguments: Change.allCases)
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
