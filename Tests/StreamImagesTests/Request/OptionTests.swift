import Foundation
import StreamImages
import Testing

@Suite("Request options", .timeLimit(.minutes(20)))
struct OptionTests {
  private let bench = Bench()

  private func request(_ options: ImageRequest.Options) -> ImageRequest {
    ImageRequest(url: bench.url, options: options)
  }

  /// A pipeline that has the picture in memory and its bytes on disk.
  private func filled() async throws -> ImagePipeline {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    _ = try await pipeline.image(for: bench.url)
    await pipeline.flush()
    return pipeline
  }

  @Test(
    "Options can prevent reading each cache",
    arguments: [
      (.disableMemoryCacheReads, .disk, 1), (.disableDiskCacheReads, .memory, 1),
      (.reloadIgnoringCachedData, nil, 2), ([], .memory, 1),
    ] as [(ImageRequest.Options, CacheSource?, Int)])
  func reads(_ row: (options: ImageRequest.Options, source: CacheSource?, loads: Int)) async throws {
    let pipeline = try await filled()

    let response = try await pipeline.response(for: request(row.options))

    #expect(response.cacheSource == row.source)
    #expect(bench.loader.loads(of: bench.url) == row.loads)
  }

  @Test(
    "Options can prevent writing to each cache",
    arguments: [
      (.disableMemoryCacheWrites, 0, 1), (.disableDiskCacheWrites, 1, 0), ([], 1, 1),
      ([.disableMemoryCache, .disableDiskCache], 0, 0),
    ] as [(ImageRequest.Options, Int, Int)])
  func writes(_ row: (options: ImageRequest.Options, memory: Int, disk: Int)) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()

    _ = try await pipeline.image(for: request(row.options))
    await pipeline.flush()

    #expect(bench.memory.writes.count == row.memory && bench.disk.writes.count == row.disk)
  }

  @Test("A cache-only request returns the cached image or fails", arguments: [false, true])
  func cacheOnly(isFilled: Bool) async throws {
    let pipeline = isFilled ? try await filled() : bench.pipeline()
    bench.memory.removeAll()

    let task = pipeline.imageTask(with: request(.returnCacheDataDontLoad))

    if isFilled {
      #expect(try await task.response.cacheSource == .disk)
    } else {
      let error = await task.failure()
      guard case .dataMissingInCache? = error else { return unexpected(error) }
      #expect(bench.loader.requests.isEmpty)
    }
  }

  @Test(
    "A shared load is stored on disk unless all its requests forbid it",
    arguments: [[true, true], [true, false], [false, true]])
  func sharedWrites(disabled: [Bool]) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    let pipeline = bench.pipeline()
    let tasks = disabled.map {
      pipeline.imageTask(with: request($0 ? .disableDiskCacheWrites : []))
    }
    await bench.loader.waitForLoad(of: bench.url)

    bench.loader.sendRest(of: bench.url)
    for task in tasks { _ = try await task.image }
    await pipeline.flush()

    #expect(bench.loader.loads(of: bench.url) == 1)
    #expect(bench.disk.writes.count == (disabled.contains(false) ? 1 : 0))
  }

  @Test("A request that waits for storage is delivered after storing")
  func waiting() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let hold = Latch()
    let pipeline = bench.pipeline { $0.dataCache = ScriptedDataCache(error: .diskFull, latch: hold) }

    let patient = pipeline.imageTask(with: request(.waitForStorage))
    _ = try await pipeline.image(for: request([]))
    #expect(patient.status.result == nil)
    hold.open()

    #expect(try await patient.image.width == 8)
  }
}
