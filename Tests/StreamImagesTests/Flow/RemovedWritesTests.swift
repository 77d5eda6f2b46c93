import Foundation
import StreamImages
import Testing

@Suite("`ImagePipeline.Cache`: removal of several writes", .timeLimit(.minutes(1)))
struct RemovedWritesTests {
  /// Stores each entry when it is told to.
  private final class SteppedDataCache: DataCaching {
    let entries = RecordingDataCache()
    let latches: [DataCacheKey: (begun: Latch, goOn: Latch)]
    let removals = Shared(0)

    init(_ keys: [DataCacheKey]) {
      latches = Dictionary(uniqueKeysWithValues: keys.map { ($0, (Latch(), Latch())) })
    }

    func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
      latches[key]?.begun.open()
      await latches[key]?.goOn.wait()
      try await entries.store(data, for: key)
    }

    func data(for key: DataCacheKey) async -> CachedData? { await entries.data(for: key) }
    func contains(_ key: DataCacheKey) async -> Bool { await entries.contains(key) }
    func remove(_ key: DataCacheKey) async { await entries.remove(key) }

    func removeAll() async {
      removals.change { $0 += 1 }
      await entries.removeAll()
    }
  }

  @Test(
    "Removing everything waits for all writes in progress, in whichever order they end",
    arguments: [
      [0, 1, 2], [2, 1, 0], [1, 2, 0],
    ])
  func all(_ order: [Int]) async throws {
    let bench = Bench()
    let requests = (0..<3).map { ImageRequest(url: URL(string: "https://example.org/\($0).png")) }
    let keys = try requests.map { try #require(DataCacheKey.original($0)) }
    let disk = SteppedDataCache(keys)
    let pipeline = bench.pipeline { $0.dataCache = disk }
    for (request, key) in zip(requests, keys) {
      bench.loader.answer(request.url, with: try Pictures.png(8, 4))
      _ = try await pipeline.image(for: request)
      await disk.latches[key]?.begun.wait()
    }

    let removal = Task { await pipeline.cache.removeAll() }
    for (count, index) in order.enumerated() {
      for _ in 0..<1_000 where disk.removals.value == 0 { await Task.yield() }
      #expect(disk.removals.value == 0)
      disk.latches[keys[index]]?.goOn.open()
      await until { disk.entries.writes.count == count + 1 }
    }
    await removal.value
    await pipeline.flush()

    #expect(disk.removals.value == 1 && disk.entries.entries.isEmpty)
    for request in requests { #expect(await pipeline.cache.contains(request) == false) }
  }
}
