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
}
