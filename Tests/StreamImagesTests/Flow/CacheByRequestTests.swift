import Foundation
import StreamImages
import Testing

/// Holds back what is stored first until a latch is open.
private final class HeldDataCache: DataCaching {
  let stored = RecordingDataCache()
  let (arrived, mayGoOn) = (Latch(), Latch())
  private let isFirst = Shared(true)

  func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    let waits = isFirst.value
    isFirst.change { $0 = false }
    if waits {
      arrived.open()
      await mayGoOn.wait()
    }
    try await stored.store(data, for: key)
  }

  func data(for key: DataCacheKey) async -> CachedData? { await stored.data(for: key) }
  func contains(_ key: DataCacheKey) async -> Bool { await stored.contains(key) }
  func remove(_ key: DataCacheKey) async { await stored.remove(key) }
  func removeAll() async { await stored.removeAll() }
}

@Suite("`ImagePipeline.Cache`", .timeLimit(.minutes(20)))
struct CacheByRequestTests {
  private let bench = Bench()
  private var request: ImageRequest { ImageRequest(url: bench.url) }

  @Test("The memory layer stores, returns and removes images, and returns previews only on request")
  func memory() throws {
    let cache = bench.pipeline().cache
    #expect(cache[request] == nil)

    cache[request] = DecodedImage(try Pictures.gradient(2, 1), isPreview: true)
    #expect(cache[request] == nil && cache.image(for: request, includingPreviews: true)?.image.width == 2)
    cache[request] = DecodedImage(try Pictures.gradient(3, 1))
    #expect(cache[request]?.image.width == 3)
    #expect(cache.firstImage(of: [ImageRequest(url: bench.other), request])?.image.width == 3)
    cache[request] = nil

    #expect(cache[request] == nil && bench.memory.entries.isEmpty)
  }

  @Test("A request without a source stores nothing")
  func withoutSource() throws {
    let cache = bench.pipeline().cache

    cache[ImageRequest(url: nil)] = DecodedImage(try Pictures.gradient(2, 1))

    #expect(bench.memory.entries.isEmpty)
  }

  @Test("Cache access respects the options of the request")
  func options() async throws {
    let cache = bench.pipeline().cache
    var unwritten = request
    unwritten.options = [.disableMemoryCacheWrites, .disableDiskCacheWrites]
    var unread = request
    unread.options = [.disableMemoryCacheReads, .disableDiskCacheReads]

    cache[unwritten] = DecodedImage(try Pictures.gradient(2, 1))
    try await cache.store(Data([1]), for: unwritten)
    #expect(bench.memory.entries.isEmpty && bench.disk.entries.isEmpty)
    cache[request] = DecodedImage(try Pictures.gradient(2, 1))
    try await cache.store(Data([1]), for: request)

    #expect(cache[unread] == nil)
    #expect(await cache.data(for: unread) == nil)
    #expect(await cache.contains(unread) == false)
    #expect(await cache.contains(request))
  }

  @Test("Bytes stored by the program replace loaded bytes that are being written")
  func storingMeanwhile() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(16, 8))
    let disk = HeldDataCache()
    let pipeline = bench.pipeline { $0.dataCache = disk }
    _ = try await pipeline.image(for: request)
    await disk.arrived.wait()

    let own = Task { [request] in try await pipeline.cache.store(Data([1]), for: request) }
    // Time for it to overtake the other.
    for _ in 0..<1_000 where disk.stored.writes.isEmpty { await Task.yield() }
    disk.mayGoOn.open()
    try await own.value
    await pipeline.flush()

    #expect(disk.stored.entries.values.map(\.data) == [Data([1])])
  }

  @Test("Bytes and images on disk can be read and removed by layer")
  func disk() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(16, 8))
    let pipeline = bench.pipeline { $0.dataCachePolicy = .storeAll }
    let small = ImageRequest(url: bench.url, processors: [.resize(width: 4)])
    _ = try await pipeline.image(for: small)
    await pipeline.flush()
    let cache = pipeline.cache

    #expect(try await cache.data(for: request) == Pictures.png(16, 8))
    #expect(await cache.storedImage(for: small)?.width == 4)
    #expect(await cache.storedImage(for: request) == nil)
    #expect(await cache.contains(small, in: .memory))
    #expect(await cache.contains(small, in: .disk))
    #expect(await cache.contains(request, in: .memory) == false)
    #expect(await cache.contains(request, in: .disk))

    await cache.remove(small, from: .memory)
    #expect(await cache.contains(small, in: .memory) == false)
    #expect(await cache.contains(small, in: .disk))
    await cache.remove(small)
    #expect(await cache.contains(small) == false)
    #expect(await cache.contains(request) == false)
  }

  @Test("A stored image that cannot be decoded is removed")
  func corrupted() async throws {
    let pipeline = bench.pipeline()
    let small = ImageRequest(url: bench.url, processors: [.resize(width: 4)])
    let key = try #require(DataCacheKey.variant(small))
    try await bench.disk.store(CachedData(Data("nothing".utf8)), for: key)

    #expect(await pipeline.cache.storedImage(for: small) == nil)

    #expect(bench.disk.entries[key] == nil)
  }

  @Test(
    "Only the given layers are searched and emptied",
    arguments: [
      ([], false, false), (.memory, true, false), (.disk, false, true), (.all, true, true),
      ([.memory, .disk], true, true),
    ] as [(ImagePipeline.Cache.Layers, Bool, Bool)])
  func layers(_ row: (layers: ImagePipeline.Cache.Layers, hasMemory: Bool, hasDisk: Bool)) async throws {
    let cache = bench.pipeline().cache
    let other = ImageRequest(url: bench.url.appending(path: "other"))
    func fill() async throws {
      bench.memory.removeAll()
      await bench.disk.removeAll()
      for request in [request, other] {
        cache[request] = DecodedImage(try Pictures.gradient(2, 1))
        try await cache.store(Data([1]), for: request)
      }
    }

    try await fill()
    await cache.removeAll(from: row.layers)
    #expect(bench.memory.entries.isEmpty == row.hasMemory)
    #expect(bench.disk.entries.isEmpty == row.hasDisk)

    try await fill()
    await cache.remove(request, from: row.layers)
    #expect(bench.memory.entries.count == (row.hasMemory ? 1 : 2))
    #expect(bench.disk.entries.count == (row.hasDisk ? 1 : 2))

    try await fill()
    #expect(await cache.contains(request, in: row.layers) == (row.hasMemory || row.hasDisk))
    cache[request] = DecodedImage(try Pictures.gradient(2, 1), isPreview: true)
    #expect(await cache.contains(request, in: row.layers) == row.hasDisk)
    bench.memory.removeAll()
    #expect(await cache.contains(request, in: row.layers) == row.hasDisk)
    try await fill()
    await bench.disk.removeAll()
    #expect(await cache.contains(request, in: row.layers) == row.hasMemory)
  }

  @Test("Each layer is a bit of its own")
  func bits() {
    #expect(ImagePipeline.Cache.Layers.memory.rawValue == 1)
    #expect(ImagePipeline.Cache.Layers.disk.rawValue == 2)
    #expect(ImagePipeline.Cache.Layers.all.rawValue == 3)
  }

  @Test("A pipeline without caches stores nothing and returns nothing")
  func none() async throws {
    let cache = bench.pipeline {
      $0.imageCache = nil
      $0.dataCache = nil
    }.cache

    cache[request] = DecodedImage(try Pictures.gradient(2, 1))
    try await cache.store(Data([1]), for: request)

    #expect(cache[request] == nil)
    #expect(await cache.contains(request) == false)
    #expect(await cache.data(for: request) == nil)
  }
}
