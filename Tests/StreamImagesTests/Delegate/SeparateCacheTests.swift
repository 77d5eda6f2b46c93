import Foundation
import StreamImages
import Testing

@Suite("`ImagePipelineDelegate`: a disk cache for some requests", .timeLimit(.minutes(1)))
struct SeparateCacheTests {
  /// Returns a cache for the requests that ask for it, and holds what is about to be stored.
  private struct Chooser: ImagePipelineDelegate {
    let disk: any DataCaching
    let held = Latch()

    func dataCache(for request: ImageRequest) -> (any DataCaching)? {
      request.userInfo["kept"] == nil ? nil : disk
    }

    func willStore(_ data: Data, of image: Image?, for request: ImageRequest) async -> Data? {
      await held.wait()
      return data
    }
  }

  /// Another object for each request, over the same entries.
  private struct Renewing: ImagePipelineDelegate {
    let disk = RecordingDataCache()
    let held = Latch()

    func dataCache(for request: ImageRequest) -> (any DataCaching)? { Front(disk: disk) }

    func willStore(_ data: Data, of image: Image?, for request: ImageRequest) async -> Data? {
      await held.wait()
      return data
    }
  }

  private final class Front: DataCaching {
    let disk: RecordingDataCache
    init(disk: RecordingDataCache) { self.disk = disk }
    func data(for key: DataCacheKey) async -> CachedData? { await disk.data(for: key) }
    func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
      try await disk.store(data, for: key)
    }
    func contains(_ key: DataCacheKey) async -> Bool { await disk.contains(key) }
    func remove(_ key: DataCacheKey) async { await disk.remove(key) }
    func removeAll() async { await disk.removeAll() }
  }

  private let bench = Bench()

  private var requests: (usual: ImageRequest, kept: ImageRequest) {
    var kept = ImageRequest(url: bench.url)
    kept.userInfo["kept"] = true
    return (ImageRequest(url: bench.url), kept)
  }

  @Test("Requests that share a load store it in the cache of each")
  func shared() async throws {
    let (usual, kept) = requests
    let key = try #require(DataCacheKey.original(usual))
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    let disk = RecordingDataCache()
    let delegate = Chooser(disk: disk)
    let pipeline = bench.pipeline { $0.delegate = delegate }

    let tasks = [pipeline.imageTask(with: usual), pipeline.imageTask(with: kept)]
    await until { pipeline.images.waitingCount == 2 }
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendRest(of: bench.url)
    for task in tasks { _ = try await task.response }
    delegate.held.open()
    await pipeline.flush()

    #expect(bench.loader.loads(of: bench.url) == 1)
    #expect(bench.disk.writes == [key] && disk.writes == [key])
  }

  @Test("An entry that waits to be written to one cache is not found in another")
  func pending() async throws {
    let (usual, kept) = requests
    let delegate = Chooser(disk: RecordingDataCache())
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline { $0.delegate = delegate }

    _ = try await pipeline.image(for: usual)

    let bytes = [await pipeline.cache.data(for: usual), await pipeline.cache.data(for: kept)]
    let isThere = [
      await pipeline.cache.contains(usual, in: .disk), await pipeline.cache.contains(kept, in: .disk),
    ]
    delegate.held.open()
    await pipeline.flush()

    #expect(bytes.map { $0 != nil } == [true, false] && isThere == [true, false])
  }

  @Test("An image that is removed is not written, even if each request has a new cache")
  func removed() async throws {
    let delegate = Renewing()
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline { $0.delegate = delegate }

    _ = try await pipeline.image(for: bench.url)
    await pipeline.cache.remove(ImageRequest(url: bench.url))
    delegate.held.open()
    await pipeline.flush()

    #expect(delegate.disk.writes.isEmpty)
  }
}
