import Foundation
import StreamImages
import Testing

@Suite("`ImagePipeline.flush()`", .timeLimit(.minutes(1)))
struct FlushTests {
  /// Stores each entry when it is told to.
  private struct SteppedDisk: DataCaching {
    let goOn: [DataCacheKey: Latch]

    func data(for key: DataCacheKey) async -> CachedData? { nil }
    func store(_ data: CachedData, for key: DataCacheKey) async { await goOn[key]?.wait() }
    func contains(_ key: DataCacheKey) async -> Bool { false }
    func remove(_ key: DataCacheKey) async {}
    func removeAll() async {}
  }

  private let bench = Bench()

  @Test("Flushing waits for what was delivered before, and not for what is delivered meanwhile")
  func later() async throws {
    let urls = (0..<3).map { URL(string: "https://example.org/\($0).png")! }
    for url in urls { bench.loader.answer(url, with: try Pictures.png(8, 4)) }
    let latches = urls.map { _ in Latch() }
    let keys = try urls.map { try #require(DataCacheKey.original(ImageRequest(url: $0))) }
    let disk = SteppedDisk(goOn: Dictionary(uniqueKeysWithValues: zip(keys, latches)))
    let pipeline = bench.pipeline { $0.dataCache = disk }
    let (executor, isFlushed) = (SteppedExecutor(), Shared(false))

    for url in urls.prefix(2) { _ = try await pipeline.image(for: url) }
    let flushing = Task(executorPreference: executor) {
      await pipeline.flush()
      isFlushed.change { $0 = true }
    }
    // It waits now.
    executor.run()
    _ = try await pipeline.image(for: urls[2])
    latches[1].open()
    // Until it is written, it is read from memory.
    while await pipeline.cache.data(for: ImageRequest(url: urls[1])) != nil, !Task.isCancelled {
      await Task.yield()
    }
    executor.run()
    #expect(!isFlushed.value)
    latches[0].open()
    await until { executor.count > 0 }
    executor.run()

    #expect(isFlushed.value)
    latches[2].open()
    await flushing.value
    await pipeline.flush()
  }
}
