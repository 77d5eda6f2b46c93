import Foundation
import StreamImages
import Testing

@Suite("`ImagePipeline`: entries that are replaced", .timeLimit(.minutes(1)))
struct ReplacedEntryTests {
  private let bench = Bench()
  private var small: ImageRequest { ImageRequest(url: bench.url, processors: [.resize(width: 4)]) }

  private func reloading(_ request: ImageRequest) -> ImageRequest {
    var request = request
    request.options = .reloadIgnoringCachedData
    return request
  }

  /// Stores nothing before it may go on.
  private struct HeldDisk: DataCaching {
    let entries = RecordingDataCache()
    let goOn = Latch()

    func data(for key: DataCacheKey) async -> CachedData? { await entries.data(for: key) }
    func contains(_ key: DataCacheKey) async -> Bool { await entries.contains(key) }
    func remove(_ key: DataCacheKey) async { await entries.remove(key) }
    func removeAll() async { await entries.removeAll() }

    func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
      await goOn.wait()
      try await entries.store(data, for: key)
    }
  }

  @Test("A new image that is encoded for a caller replaces an older one that waits to be written")
  func encoded() async throws {
    let disk = HeldDisk()
    let pipeline = bench.pipeline { $0.dataCache = disk }
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    _ = try await pipeline.image(for: small)

    // The first encoding of the pipeline, as the image was its first.
    bench.loader.answer(bench.url, with: try Pictures.png(16, 4))
    let new = try await pipeline.encodedImage(for: reloading(small))
    disk.goOn.open()
    await pipeline.flush()

    let key = try #require(DataCacheKey.variant(small))
    #expect(disk.entries.entries[key]?.data == new.data)
  }

  /// Encodes nothing before it may go on.
  private struct SlowEncoder: ImageEncoding {
    let goOn = DispatchSemaphore(value: 0)

    func encode(_ image: Image) throws -> Data {
      goOn.wait()
      return try ImageEncoders.Fixed(encoding: .png).encode(image)
    }
  }

  @Test("A stored image is not read while the one that replaces it is being encoded")
  func encoding() async throws {
    let encoder = SlowEncoder()
    let pipeline = bench.pipeline { ($0.imageCache, $0.encoder) = (nil, encoder) }
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    _ = try await pipeline.image(for: small)
    encoder.goOn.signal()
    await pipeline.flush()
    bench.loader.answer(bench.url, with: try Pictures.png(16, 4))
    _ = try await pipeline.image(for: reloading(small))

    let (isStored, found) = (await pipeline.cache.contains(small), try await pipeline.image(for: small))
    for _ in 0..<2 { encoder.goOn.signal() }
    await pipeline.flush()

    #expect(found.size == PixelSize(width: 4, height: 1))
    // It can be made from the bytes of the reload, but those are not on disk.
    #expect(!isStored)
    #expect(await pipeline.cache.storedImage(for: small)?.size == found.size)
    #expect(bench.loader.loads(of: bench.url) == 2)
  }

  @Test("Newly loaded bytes are used in place of older ones on disk, until others are stored")
  func recent() async throws {
    let pipeline = bench.pipeline { $0.imageCache = nil }
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    _ = try await pipeline.image(for: bench.url)
    await pipeline.flush()
    bench.loader.answer(bench.url, with: try Pictures.png(16, 4))
    _ = try await pipeline.image(for: reloading(small))

    let wide = ImageRequest(url: bench.url, processors: [.resize(width: 8)])
    let found = try await pipeline.image(for: wide)
    try await pipeline.cache.store(Pictures.png(4, 4), for: wide)
    let narrow = ImageRequest(url: bench.url, processors: [.resize(width: 2)])
    let square = try await pipeline.image(for: narrow)
    await pipeline.flush()

    #expect(found.size == PixelSize(width: 8, height: 2))
    #expect(square.size == PixelSize(width: 2, height: 2))
    #expect(bench.loader.loads(of: bench.url) == 2)
  }
}
