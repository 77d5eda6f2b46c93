import Foundation
import StreamImages
import Testing

@Suite("`ImagePipeline.Cache`: loads around a removal", .timeLimit(.minutes(1)))
struct RemovalMomentTests {
  /// Does something while it forgets.
  private struct ForgettingLoader: DataLoading {
    let loader: ScriptedLoader
    let onForget = Shared<(@Sendable () async -> Void)?>(nil)

    func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
      try await loader.load(request, limits: limits)
    }

    func forget(_ request: DataRequest) async { await onForget.value?() }
    func forgetAll() async { await onForget.value?() }
  }

  private let bench = Bench()
  private var request: ImageRequest { ImageRequest(url: bench.url) }

  @Test(
    "A request made while the loader forgets starts a load of its own, and stores nothing on disk",
    arguments: [true, false])
  func meanwhile(_ all: Bool) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    let (loader, later) = (ForgettingLoader(loader: bench.loader), Shared<ImageTask?>(nil))
    let pipeline = bench.pipeline {
      $0.dataLoader = loader
      $0.dataCachePolicy = .storeAll
    }
    let old = pipeline.imageTask(with: request)
    await bench.loader.waitForLoad(of: bench.url)
    await until { pipeline.originals.waitingCount == 1 }
    loader.onForget.change {
      $0 = { [bench, request] in
        later.change { $0 = pipeline.imageTask(with: request) }
        await bench.loader.waitForLoad(of: bench.url, count: 2)
      }
    }

    if all {
      await pipeline.cache.removeAll(from: .disk)
    } else {
      await pipeline.cache.remove(request, from: .disk)
    }
    #expect(bench.loader.loads(of: bench.url) == 2)
    bench.loader.sendRest(of: bench.url)
    for task in [old, try #require(later.value)] { _ = try await task.image }
    await pipeline.flush()

    #expect(bench.disk.entries.isEmpty && bench.memory.entries.count == 1)
  }

  @Test(
    "A request made while the disk is cleared stores nothing there, and later requests do not join it",
    arguments: [true, false])
  func clearing(_ all: Bool) async throws {
    let bytes = try Pictures.png(8, 4)
    bench.loader.answer(bench.url, with: bytes, onDemand: true)
    let (disk, first) = (RemovingDisk(), Shared<ImageTask?>(nil))
    let (begun, goOn) = (Latch(), DispatchSemaphore(value: 0))
    let decoder = ScriptedDecoder { _ in
      if begun.isOpen { return }
      begun.open()
      goOn.wait()
    }
    let pipeline = bench.pipeline {
      ($0.dataCache, $0.decoders, $0.decodingWidth) = (disk, [decoder], 2)
      $0.dataCachePolicy = .storeAll
    }
    let small = ImageRequest(url: bench.url, processors: [.resize(width: 4)])
    try await pipeline.cache.store(bytes, for: small)
    disk.onRemove.change {
      $0 = {
        if first.value != nil { return }
        first.change { $0 = pipeline.imageTask(with: small) }
        // It has read what is removed now.
        await begun.wait()
      }
    }

    if all {
      await pipeline.cache.removeAll(from: .disk)
    } else {
      await pipeline.cache.remove(small, from: .disk)
    }
    var unstored = small
    unstored.options = .disableDiskCacheWrites
    let later = pipeline.imageTask(with: unstored)
    let isSeparate = pipeline.images.count == 2
    if isSeparate {
      await bench.loader.waitForLoad(of: bench.url)
      bench.loader.sendRest(of: bench.url)
    }
    goOn.signal()
    for task in [try #require(first.value), later] { _ = try await task.image }
    await pipeline.flush()

    #expect(isSeparate && disk.entries.entries.isEmpty)
  }

  @Test("Requests for an image share its load, whatever other images are removed meanwhile")
  func shared() async throws {
    for url in [bench.url, bench.other] {
      bench.loader.answer(url, with: try Pictures.png(8, 4), onDemand: true)
    }
    let pipeline = bench.pipeline()
    let first = pipeline.imageTask(with: bench.url)
    await bench.loader.waitForLoad(of: bench.url)
    await until { pipeline.originals.waitingCount == 1 }

    for layers in [ImagePipeline.Cache.Layers.memory, .disk, .all] {
      await pipeline.cache.remove(ImageRequest(url: bench.other), from: layers)
    }
    let second = pipeline.imageTask(with: bench.url)
    #expect(pipeline.images.count == 1 && pipeline.images.waitingCount == 2)
    bench.loader.sendRest(of: bench.url)

    let responses = try await [first.response, second.response]
    #expect(responses.map(\.wasCoalesced) == [false, true] && bench.loader.loads(of: bench.url) == 1)
    await pipeline.flush()
  }

  @Test("Removing one image leaves the loads of others, which are stored everywhere")
  func others() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    let pipeline = bench.pipeline { $0.dataCachePolicy = .storeAll }
    let small = ImageRequest(url: bench.url, processors: [.resize(width: 4)])
    let task = pipeline.imageTask(with: small)
    await bench.loader.waitForLoad(of: bench.url)
    await until { pipeline.originals.waitingCount == 1 }

    await pipeline.cache.remove(ImageRequest(url: bench.other, processors: [.resize(width: 4)]))
    bench.loader.sendRest(of: bench.url)
    _ = try await task.image
    await pipeline.flush()

    #expect(bench.memory.entries[ImageCacheKey(small)] != nil)
    for key in [DataCacheKey.original(small), DataCacheKey.variant(small)] {
      #expect(bench.disk.entries[try #require(key)] != nil)
    }
  }

  @Test("An image can be removed from memory by a request that may not be stored there")
  func unwritten() throws {
    let cache = bench.pipeline().cache
    let unwritten = ImageRequest(url: bench.url, options: .disableMemoryCacheWrites)
    cache[request] = DecodedImage(try Pictures.gradient(2, 1))

    cache[unwritten] = nil

    #expect(bench.memory.entries.isEmpty)
  }

  @Test(
    "A stored image stays if it cannot be decoded for a reason that is not its own", arguments: [true, false])
  func reasons(_ isOwn: Bool) async throws {
    let decoder = ScriptedDecoder { _ in throw isOwn ? ImageCodecError.truncated : .outOfMemory }
    let pipeline = bench.pipeline { $0.decoders = [decoder] }
    let small = ImageRequest(url: bench.url, processors: [.resize(width: 4)])
    let key = try #require(DataCacheKey.variant(small))
    try await bench.disk.store(CachedData(try Pictures.png(4, 2)), for: key)

    #expect(await pipeline.cache.storedImage(for: small) == nil)

    #expect(decoder.runs == 1 && (bench.disk.entries[key] == nil) == isOwn)
  }
}
