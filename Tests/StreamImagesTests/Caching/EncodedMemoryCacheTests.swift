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

  /// A disk that does something while an entry is being changed or read.
  private final class BusyDisk: DataCaching {
    let stored = RecordingDataCache()
    private let action = Shared<(@Sendable () async -> Void)?>(nil)

    /// Runs `action` in the next operation, before it takes effect.
    func onNext(_ action: @escaping @Sendable () async -> Void) { self.action.change { $0 = action } }

    private func begin() async {
      var now: (@Sendable () async -> Void)?
      action.change { swap(&$0, &now) }
      await now?()
    }

    func data(for key: DataCacheKey) async -> CachedData? {
      let found = await stored.data(for: key)
      await begin()
      return found
    }

    func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
      await begin()
      try await stored.store(data, for: key)
    }

    func remove(_ key: DataCacheKey) async {
      await begin()
      await stored.remove(key)
    }

    func removeAll() async {
      await begin()
      await stored.removeAll()
    }

    func contains(_ key: DataCacheKey) async -> Bool { await stored.contains(key) }
  }

  private static func make(_ change: Change, of key: DataCacheKey, in cache: EncodedMemoryCache) async {
    switch change {
    case .removal: await cache.remove(key)
    case .removalOfAll: await cache.removeAll()
    case .store: try? await cache.store(content(50), for: key)
    }
  }

  @Test("A read that begins during a change of its entry is not kept", arguments: Change.allCases)
  func readDuringChange(change: Change) async throws {
    let (disk, other) = (BusyDisk(), DataCacheKey("b"))
    let cache = EncodedMemoryCache(over: disk)
    for key in [key, other] { try await disk.store(content(100), for: key) }
    disk.onNext { [key] in
      // Stored in memory already, and so not read.
      if change != .store { #expect(await cache.data(for: key) == content(100)) }
      #expect(await cache.data(for: other) == content(100))
    }

    await Self.make(change, of: key, in: cache)

    #expect(cache.immediateData(for: key) == (change == .store ? content(50) : nil))
    #expect(cache.immediateData(for: other) == (change == .removalOfAll ? nil : content(100)))
  }

  @Test("Reads after a change are kept, even after several changes at a time", arguments: Change.allCases)
  func readAfterChange(change: Change) async throws {
    let disk = BusyDisk()
    let cache = EncodedMemoryCache(over: disk, byteLimit: 1_000)
    disk.onNext { [key] in await Self.make(change, of: key, in: cache) }
    await Self.make(change, of: key, in: cache)
    await Self.make(change, of: key, in: cache)
    // An entry in memory that is not below its share of the limit is removed from there.
    try? await cache.store(content(300), for: key)
    #expect(cache.immediateData(for: key) == nil)
    try await disk.store(content(100), for: key)

    #expect(await cache.data(for: key) == content(100))

    #expect(cache.immediateData(for: key) == content(100))
  }

  @Test("Reads of several entries at a time are all kept")
  func readsAtOnce() async throws {
    let (disk, other) = (BusyDisk(), DataCacheKey("b"))
    let cache = EncodedMemoryCache(over: disk)
    for key in [key, other] { try await disk.store(content(100), for: key) }
    disk.onNext { #expect(await cache.data(for: other) == content(100)) }

    #expect(await cache.data(for: key) == content(100))

    for key in [key, other] { #expect(cache.immediateData(for: key) == content(100)) }
  }

  @Test("An entry in memory costs its bytes and one more")
  func cost() async throws {
    let cache = EncodedMemoryCache(over: nil)
    for (name, size) in [("a", 0), ("b", 1), ("c", 100)] {
      try await cache.store(content(size), for: DataCacheKey(name))
    }

    #expect(cache.totalCost == 104)
    #expect(await cache.contains(DataCacheKey("d")) == false)
  }
}
