import Foundation
import StreamImages
import StreamsExtras
import Testing

@Suite("`DataCache`")
struct DataCacheTests {
  private let folder: CacheFolder
  private let first = DataCacheKey("first")
  private let second = DataCacheKey("second")

  init() throws { folder = try CacheFolder() }

  @Test("`DataCache` returns what was stored, including attributes")
  func roundTrip() async throws {
    let cache = folder.cache()
    let entry = CachedData(content(100).data, attributes: ["url": "https://a"])

    try await cache.store(entry, for: first)

    #expect(await cache.data(for: first) == entry)
    #expect(await cache.contains(first))
    #expect(await cache.data(for: second) == nil)
    #expect(await cache.contains(second) == false)
  }

  @Test("`DataCache` stores an entry without bytes")
  func empty() async throws {
    let cache = folder.cache()

    try await cache.store(content(0), for: first)

    #expect(await cache.data(for: first) == content(0))
  }

  @Test("`DataCache` has the limits that it was created with, and by default a limit of bytes only")
  func limits() throws {
    let usual = [folder.cache(), try DataCache(name: "a")]
    let own = [
      DataCache(
        directory: folder.directory, sizeLimit: 1, countLimit: 2, lifetime: .seconds(3),
        synchronizesWrites: true),
      try DataCache(name: "a", sizeLimit: 1, countLimit: 2, lifetime: .seconds(3), synchronizesWrites: true),
    ]

    for cache in usual {
      #expect((cache.sizeLimit, cache.countLimit) == (DataCache.defaultSizeLimit, .max))
      #expect(cache.lifetime == nil && !cache.synchronizesWrites)
    }
    for cache in own {
      #expect((cache.sizeLimit, cache.countLimit) == (1, 2))
      #expect(cache.lifetime == .seconds(3) && cache.synchronizesWrites)
    }
  }

  @Test("`DataCache` counts regular files with the name of an entry in their directory")
  func counted() async throws {
    let cache = folder.cache()
    for key in [first, second] { try await cache.store(content(10), for: key) }
    let (name, shard) = (first.name, folder.file(of: first).deletingLastPathComponent())
    // None of them is an entry: a directory, another length, another ending, another digit, another shard.
    try FileManager.default.createDirectory(
      at: shard.appending(path: "\(name.prefix(2))\(String(repeating: "0", count: 62)).bin"),
      withIntermediateDirectories: false)
    let start = name.dropLast()
    let foreign: [String] = [
      "\(name)0.bin", "\(start).bin", "\(name).bim", "\(name)bin.", "\(start)g.bin", "\(start):.bin",
      "\(start)`.bin",
      "\(start)A.bin", "zz\(name.dropFirst(2)).bin",
    ]
    for name in foreign { try Data(count: 1_000).write(to: shard.appending(path: name)) }

    let totals = await cache.totals()

    #expect(totals.count == 2)
    #expect(totals.byteCount < 1_000)
    #expect(await DataCache(.failure(.noCacheDirectory)).contains(first) == false)
  }

  @Test("`DataCache` has no entries without a directory, and creates none to count them")
  func nowhere() async {
    for cache in [folder.cache(), DataCache(.failure(.noCacheDirectory))] {
      let totals = await cache.totals()

      #expect(totals == (0, 0))
    }
    #expect(!folder.exists(""))
  }

  @Test("Storing under the same key replaces the cached entry")
  func replacing() async throws {
    let cache = folder.cache()
    try await cache.store(content(100, seed: 1), for: first)

    try await cache.store(content(50, seed: 2), for: first)

    #expect(await cache.data(for: first) == content(50, seed: 2))
    #expect(await cache.totals().count == 1)
  }

  @Test("Cached entries are shared with other instances and with the next run")
  func instances() async throws {
    let (one, other) = (folder.cache(), folder.cache())

    try await one.store(content(100, seed: 1), for: first)
    #expect(await other.data(for: first) == content(100, seed: 1))

    try await other.store(content(100, seed: 2), for: first)
    try await other.store(content(100, seed: 3), for: second)
    #expect(await one.data(for: first) == content(100, seed: 2))
    #expect(await folder.cache().data(for: second) == content(100, seed: 3))

    await one.remove(second)
    #expect(await other.data(for: second) == nil)
  }

  @Test("Concurrent writes by several `DataCache` instances never expose a partial entry")
  func writingTogether() async throws {
    let caches = (0..<4).map { _ in folder.cache() }

    await withTaskGroup { group in
      for (index, cache) in caches.enumerated() {
        group.addTask {
          for _ in 0..<10 { try? await cache.store(content(20_000, seed: UInt8(index)), for: first) }
        }
        group.addTask {
          for _ in 0..<20 {
            guard let found = await cache.data(for: first) else { continue }
            #expect(caches.indices.contains { content(20_000, seed: UInt8($0)) == found })
          }
        }
      }
    }

    let last = await caches[0].data(for: first)
    #expect(caches.indices.contains { content(20_000, seed: UInt8($0)) == last })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.directory.path + "/v1/new") == [])
  }

  @Test("`DataCache` removes one entry, and removes all")
  func removing() async throws {
    let cache = folder.cache()
    try await cache.store(content(100), for: first)
    try await cache.store(content(100), for: second)

    await cache.remove(first)
    #expect(await cache.data(for: first) == nil)
    #expect(await cache.data(for: second) != nil)

    await cache.removeAll()
    #expect(await cache.data(for: second) == nil)
    #expect(await cache.totals() == (0, 0))
  }

  @Test("`DataCache` creates directories and files with access for their owner only")
  func permissions() async throws {
    try await folder.cache().store(content(100), for: first)

    let shard = "v1/\(first.name.prefix(2))"
    for path in ["", "v1", "v1/new", shard] { #expect(try folder.mode(of: path) == 0o700, "\(path)") }
    #expect(try folder.mode(of: "\(shard)/\(first.name).bin") == 0o600)
  }

  @Test("`DataCache` continues to work after its directory is deleted")
  func deletedDirectory() async throws {
    let cache = folder.cache()
    try await cache.store(content(100), for: first)
    await cache.settle()
    try FileManager.default.removeItem(at: folder.directory)

    #expect(await cache.data(for: first) == nil)
    try await cache.store(content(100), for: second)

    #expect(await cache.data(for: second) == content(100))
  }

  @Test("A cache read in a cancelled task returns nothing")
  func cancellation() async throws {
    let cache = folder.cache()
    try await cache.store(content(100), for: first)

    let task = Task { () -> CachedData? in
      withUnsafeCurrentTask { $0?.cancel() }
      return await cache.data(for: first)
    }

    #expect(await task.value == nil)
  }

  @Test("`DataCache` leaves no file open")
  func descriptors() async throws {
    let cache = folder.cache()
    for index in 0..<20 { try await cache.store(content(1_000), for: DataCacheKey("\(index)")) }
    for index in 0..<40 { _ = await cache.data(for: DataCacheKey("\(index)")) }
    await cache.sweep()
    _ = await cache.totals()

    #expect(Descriptors.count(under: folder.directory.path) == 0)
  }
}
