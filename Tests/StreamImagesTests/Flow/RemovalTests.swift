import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("`ImagePipeline.Cache`: removal", .timeLimit(.minutes(1)))
struct RemovalTests {
  /// Takes its time to store.
  private struct SlowDataCache: DataCaching {
    let entries = RecordingDataCache()
    let begun = Latch()
    let goOn = Latch()
    let stores = Guarded(0)

    func data(for key: DataCacheKey) async -> CachedData? { await entries.data(for: key) }
    func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
      stores.withLock { $0 += 1 }
      begun.open()
      await goOn.wait()
      try await entries.store(data, for: key)
    }
    func contains(_ key: DataCacheKey) async -> Bool { await entries.contains(key) }
    func remove(_ key: DataCacheKey) async { await entries.remove(key) }
    func removeAll() async { await entries.removeAll() }
  }

  /// Takes its time to encode.
  private struct SlowEncoder: ImageEncoding {
    let begun: Latch
    let goOn = DispatchSemaphore(value: 0)

    func encode(_ image: Image) throws -> Data {
      begun.open()
      goOn.wait()
      return try Pictures.png(4, 2)
    }
  }

  private let bench = Bench()
  private var request: ImageRequest { ImageRequest(url: bench.url) }

  private func remove(_ all: Bool, _ request: ImageRequest, _ pipeline: ImagePipeline) async {
    if all { await pipeline.cache.removeAll() } else { await pipeline.cache.remove(request) }
  }

  @Test(
    "An entry removed while it is being written is neither stored nor returned", arguments: [true, false])
  func writing(_ all: Bool) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let slow = SlowDataCache()
    let pipeline = bench.pipeline { $0.dataCache = slow }
    _ = try await pipeline.image(for: request)
    await slow.begun.wait()
    #expect(await pipeline.cache.data(for: request) != nil)

    let removal = Task { await remove(all, request, pipeline) }
    while await pipeline.cache.data(for: request) != nil, !Task.isCancelled { await Task.yield() }
    slow.goOn.open()
    await removal.value

    #expect(await pipeline.cache.contains(request) == false)
    await pipeline.flush()
    #expect(slow.entries.entries.isEmpty && bench.memory.entries.isEmpty)
  }

  @Test("A write in progress does not overwrite a later store")
  func replacing() async throws {
    let old = try Pictures.png(8, 4), new = try Pictures.png(2, 1)
    bench.loader.answer(bench.url, with: old)
    let slow = SlowDataCache()
    let pipeline = bench.pipeline { $0.dataCache = slow }
    _ = try await pipeline.image(for: request)
    await slow.begun.wait()

    let storing = Task { try await pipeline.cache.store(new, for: request) }
    for _ in 0..<10_000 {
      if await pipeline.cache.data(for: request) != old { break }
      await Task.yield()
    }
    for _ in 0..<1_000 { await Task.yield() }
    // The one waits for the other: on disk, either could be the last.
    #expect(slow.stores.withLock { $0 } == 1)
    slow.goOn.open()
    try await storing.value
    await pipeline.flush()

    #expect(await pipeline.cache.data(for: request) == new)
  }

  @Test("An image removed while it is being encoded is not stored", arguments: [true, false])
  func encoding(_ all: Bool) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let encoder = SlowEncoder(begun: Latch())
    let pipeline = bench.pipeline { $0.encoder = encoder }
    let small = ImageRequest(url: bench.url, processors: [.resize(width: 4)])
    _ = try await pipeline.image(for: small)
    await encoder.begun.wait()

    await remove(all, small, pipeline)
    encoder.goOn.signal()
    await pipeline.flush()

    #expect(bench.disk.entries.isEmpty && bench.memory.entries.isEmpty)
  }

  @Test(
    "A load started before a removal stores nothing, and later requests load again",
    arguments: [true, false])
  func loading(_ all: Bool) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    let pipeline = bench.pipeline { $0.dataCachePolicy = .storeAll }
    let small = ImageRequest(url: bench.url, processors: [.resize(width: 4)])
    let tasks = [pipeline.imageTask(with: request), pipeline.imageTask(with: small)]
    let data = pipeline.dataTask(with: request)
    await bench.loader.waitForLoad(of: bench.url)
    // One that is still on its way to the load would begin one of its own.
    await until { pipeline.originals.waitingCount == 3 }

    await remove(all, request, pipeline)
    await remove(all, small, pipeline)
    let later = ImageRequest(url: bench.url, options: .disableDiskCacheWrites)
    let fresh = pipeline.imageTask(with: later)
    await bench.loader.waitForLoad(of: bench.url, count: 2)
    fresh.cancel()
    bench.loader.sendRest(of: bench.url)
    for task in tasks { _ = try await task.image }
    _ = try await data.data
    await pipeline.flush()

    #expect(bench.disk.entries.isEmpty && bench.memory.entries.isEmpty)
    #expect(await pipeline.cache.contains(request) == false)
  }

  @Test(
    "A removed image is not recreated from recently loaded bytes",
    arguments: [true, false])
  func recent(_ all: Bool) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    _ = try await pipeline.image(for: ImageRequest(url: bench.url, processors: [.resize(width: 4)]))
    await pipeline.flush()

    await remove(all, request, pipeline)

    #expect(try await pipeline.response(for: request).origin == .network)
    #expect(bench.loader.loads(of: bench.url) == 2)
  }

  @Test("Removing an image also removes it from the HTTP cache", arguments: [true, false])
  func http(_ all: Bool) async throws {
    try await withWorkshop { workshop in
      let bytes = try Pictures.png(8, 4)
      workshop.server.serve(
        "/a", Reply(body: bytes).with { $0.headers = [("Cache-Control", "max-age=1000")] })
      let pipeline = workshop.pipeline {
        let cache = HTTPCache(workshop.loader, store: DataCache(directory: workshop.cacheDirectory))
        $0.dataLoader = SchemeLoader(network: cache.with(RetryMiddleware(maximumRetryCount: 1)))
        ($0.dataCache, $0.imageCache) = (nil, nil)
      }
      let request = ImageRequest(url: workshop.server.url("/a"))
      _ = try await pipeline.image(for: request)
      #expect(try await pipeline.response(for: request).httpCacheStatus == .hit)

      await remove(all, request, pipeline)

      #expect(try await pipeline.response(for: request).httpCacheStatus == .miss)
      #expect(workshop.loads(of: "/a") == 2)
    }
  }

  @Test(
    "A body in flight during a removal does not enter the HTTP cache", arguments: [true, false])
  func httpLoading(_ all: Bool) async throws {
    try await withWorkshop { workshop in
      let (bytes, gate) = (try Pictures.png(8, 4), try Gate())
      let reply = Reply(body: bytes).with { $0.headers = [("Cache-Control", "max-age=1000")] }
      workshop.server.serve("/a", inTurn: [reply.with { $0.bodyGate = (10, gate) }, reply])
      let pipeline = workshop.pipeline {
        $0.dataLoader = SchemeLoader(
          network: HTTPCache(workshop.loader, store: DataCache(directory: workshop.cacheDirectory)))
        ($0.dataCache, $0.imageCache) = (nil, nil)
      }
      let request = ImageRequest(url: workshop.server.url("/a"))
      let task = pipeline.imageTask(with: request)
      _ = await workshop.server.waitForRequest("/a")

      await remove(all, request, pipeline)
      gate.open()
      _ = try await task.image

      #expect(try await pipeline.response(for: request).httpCacheStatus == .miss)
    }
  }

  @Test("The newest body is stored and returned, even while an older one is being stored")
  func newest() async throws {
    let (old, new) = (try Pictures.png(8, 4), try Pictures.png(16, 4))
    bench.loader.answer(bench.url, with: old)
    let slow = SlowDataCache()
    let pipeline = bench.pipeline { $0.dataCache = slow }
    _ = try await pipeline.image(for: request)
    await slow.begun.wait()

    bench.loader.answer(bench.url, with: new)
    _ = try await pipeline.image(for: ImageRequest(url: bench.url, options: .reloadIgnoringCachedData))
    #expect(await pipeline.cache.data(for: request) == new)
    slow.goOn.open()
    await pipeline.flush()

    #expect(slow.entries.entries.values.map(\.data) == [new])
    #expect(await pipeline.cache.data(for: request) == new)
  }

  @Test("Removing one image does not prevent another from being stored")
  func others() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let encoder = SlowEncoder(begun: Latch())
    let pipeline = bench.pipeline { $0.encoder = encoder }
    let small = ImageRequest(url: bench.url, processors: [.resize(width: 4)])
    _ = try await pipeline.image(for: small)
    await encoder.begun.wait()

    await pipeline.cache.remove(ImageRequest(url: bench.other, processors: [.resize(width: 4)]))
    encoder.goOn.signal()
    await pipeline.flush()

    let key = try #require(DataCacheKey.variant(small))
    #expect(bench.disk.entries[key] != nil)
  }

  @Test(
    "An image removed from one layer during its load is stored only in the other",
    arguments: [true, false], [ImagePipeline.Cache.Layers.memory, .disk])
  func layers(_ all: Bool, _ layers: ImagePipeline.Cache.Layers) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    let pipeline = bench.pipeline { $0.dataCachePolicy = .storeAll }
    let small = ImageRequest(url: bench.url, processors: [.resize(width: 4)])
    let task = pipeline.imageTask(with: small)
    await bench.loader.waitForLoad(of: bench.url)
    await until { pipeline.originals.waitingCount == 1 }

    if all {
      await pipeline.cache.removeAll(from: layers)
    } else {
      await pipeline.cache.remove(small, from: layers)
    }
    bench.loader.sendRest(of: bench.url)
    _ = try await task.image
    await pipeline.flush()

    #expect(bench.memory.entries.isEmpty == layers.contains(.memory))
    #expect(bench.disk.entries.isEmpty == layers.contains(.disk))
  }
}
