import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("`ImagePipeline`: lookups on disk", .timeLimit(.minutes(1)))
struct LookupTests {
  /// A disk that answers once it is told to, and counts who waits.
  private struct HeldDisk: DataCaching {
    let entries = RecordingDataCache()
    let waiting = Shared(0)
    let goOn = Latch()

    func data(for key: DataCacheKey) async -> CachedData? {
      waiting.change { $0 += 1 }
      await goOn.wait()
      return await entries.data(for: key)
    }
    func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
      try await entries.store(data, for: key)
    }
    func contains(_ key: DataCacheKey) async -> Bool { await entries.contains(key) }
    func remove(_ key: DataCacheKey) async { await entries.remove(key) }
    func removeAll() async { await entries.removeAll() }
  }

  private let bench = Bench()

  private func requests(_ count: Int) -> [ImageRequest] {
    (0..<count).map { number in
      ImageRequest(url: URL(string: "https://example.org/\(number).png"), processors: [.resize(width: 4)])
    }
  }

  @Test("At most 64 requests look into the disk cache at a time, for images, bytes and encoded images")
  func width() async throws {
    let disk = HeldDisk()
    let pipeline = bench.pipeline { $0.dataCache = disk }
    let requests = requests(100)
    for request in requests {
      let key = try #require(DataCacheKey.variant(request))
      try await disk.store(CachedData(try Pictures.png(4, 2)), for: key)
    }

    let recorders = requests.map { pipeline.encodedImagePublisher(with: $0).record() }
    let tasks = requests.map { pipeline.imageTask(with: $0) }
    await until { disk.waiting.value >= 64 }
    for _ in 0..<10_000 { await Task.yield() }
    #expect(disk.waiting.value == 64)
    disk.goOn.open()

    for recorder in recorders { #expect(await recorder.endsWell()) }
    for task in tasks { _ = try await task.image }
    #expect(bench.loader.requests.isEmpty)
  }

  @Test("Stored images that wait to be decoded hold up no bytes")
  func decoding() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    let requests = requests(80)
    for request in requests {
      let key = try #require(DataCacheKey.variant(request))
      try await bench.disk.store(CachedData(try Pictures.png(4, 2)), for: key)
    }
    pipeline.suspend(.decoding)
    let tasks = requests.map { pipeline.imageTask(with: $0) }
    await until { pipeline.counts(of: .decoding).waiting >= 64 }

    let response = try await pipeline.data(for: bench.url)

    #expect(response.data.count > 0)
    pipeline.resume(.decoding)
    for task in tasks { #expect(try await task.response.cacheSource == .disk) }
    await pipeline.flush()
  }
}
