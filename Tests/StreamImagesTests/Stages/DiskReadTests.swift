import Foundation
import StreamImages
import Testing

@Suite("Reads and writes of the caches", .timeLimit(.minutes(1)))
struct DiskReadTests {
  typealias Policy = ImagePipeline.DataCachePolicy
  private let bench = Bench()

  private struct Kind: Sendable {
    let name: String
    let change: @Sendable (inout ImageRequest) -> Void
    let isVariant: Bool
  }

  private static let kinds = [
    Kind(name: "plain", change: { _ in }, isVariant: false),
    Kind(name: "processed", change: { $0.processors = [ScriptedProcessor("a")] }, isVariant: true),
    Kind(name: "thumbnail", change: { $0.thumbnail = .init(maxPixelSize: 4) }, isVariant: true),
  ]

  private static let urls = [
    "https://example.org/a.png", "file:///a.png", "data:image/png;base64,AAAA", "FILE:///a.png",
  ]

  /// The keys that a request reads from the disk if it finds nothing there.
  private func expected(_ request: ImageRequest, _ policy: Policy) -> [DataCacheKey?] {
    guard !request.options.contains(.disableDiskCacheReads), let scheme = request.url?.scheme?.lowercased()
    else {
      return []
    }
    var keys: [DataCacheKey?] = []
    var step = request
    while true {
      let isVariant = !step.processors.isEmpty || step.thumbnail != nil
      if scheme != "file", isVariant || policy == .storeEncodedImages { keys.append(.variant(step)) }
      guard !step.processors.isEmpty else { break }
      step.processors.removeLast()
    }
    return scheme == "https" ? keys + [.original(request)] : keys
  }

  @Test(
    "A request reads its variants and its original from the disk, as far as they can be there",
    arguments: Policy.allCases)
  func reads(_ policy: Policy) async throws {
    for address in Self.urls {
      for kind in Self.kinds {
        for options in [ImageRequest.Options(), .disableDiskCacheReads] {
          let bench = Bench()
          var request = ImageRequest(url: URL(string: address), options: options)
          kind.change(&request)
          bench.loader.answer(request.url, with: try Pictures.png(8, 4))

          _ = try await bench.pipeline { $0.dataCachePolicy = policy }.image(for: request)

          #expect(
            bench.disk.reads == expected(request, policy).compactMap(\.self),
            "\(kind.name) \(address) \(options)")
        }
      }
    }
  }

  @Test("An encoding is a variant of its own, and does not change how the original is stored")
  func encodings() {
    var request = ImageRequest(url: bench.url)
    request.encoding = .png
    var closure = ImageRequest(id: "a", data: { Data() })
    for (policy, original, variant) in [
      (Policy.automatic, true, true), (.storeOriginalData, true, false), (.storeEncodedImages, false, true),
      (.storeAll, true, true),
    ] as [(Policy, Bool, Bool)] {
      let plan = DiskPlan(request, policy, isFresh: true, hit: nil)
      #expect(plan.storesOriginal == original && plan.storesVariant == variant, "\(policy)")
      for hit in [CacheSource.disk, .memory] {
        let plan = DiskPlan(request, policy, isFresh: true, hit: hit)
        #expect(plan.storesOriginal == original && !plan.storesVariant, "\(policy)")
      }
      closure.encoding = .png
      #expect(DiskPlan(closure, policy, isFresh: true, hit: nil).storesVariant == variant)
      closure.encoding = nil
      #expect(
        DiskPlan(closure, policy, isFresh: true, hit: nil).storesVariant == (policy == .storeEncodedImages))
    }
  }

  @Test("An image is written to memory once, wherever it comes from, and not again from there")
  func memoryWrites() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    let request = ImageRequest(url: bench.url)

    #expect(try await pipeline.response(for: request).cacheSource == nil && bench.memory.writes.count == 1)
    await pipeline.flush()
    #expect(
      try await pipeline.response(for: request).cacheSource == .memory && bench.memory.writes.count == 1)
    bench.memory.removeAll()
    #expect(try await pipeline.response(for: request).cacheSource == .disk && bench.memory.writes.count == 2)
    await pipeline.flush()

    #expect(bench.disk.writes.count == 1)
  }

  @Test("An image in memory whose bytes were not to be stored does not store them later")
  func unstoredOriginal() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline { $0.dataCachePolicy = .storeAll }
    _ = try await pipeline.image(for: ImageRequest(url: bench.url, options: .disableDiskCacheWrites))
    let request = ImageRequest(url: bench.url, processors: [ScriptedProcessor("a")])

    let response = try await pipeline.response(for: request)
    await pipeline.flush()

    #expect(response.origin == .memory && bench.loader.loads(of: bench.url) == 1)
    #expect(bench.disk.writes == [try #require(DataCacheKey.variant(request))])
  }

  @Test("An image in memory for no URL is not delivered")
  func missing() async throws {
    let request = ImageRequest(url: nil)
    bench.memory[ImageCacheKey(request)] = DecodedImage(try Pictures.gradient(2, 1))

    let error = await bench.pipeline().imageTask(with: request).failure()

    guard case .dataLoadingFailed(.badURL)? = error else { return unexpected(error) }
  }

  @Test(
    "Loaded bytes serve another version of an image, unless they may be neither stored nor kept",
    arguments: [
      (.automatic, [], true, 1), (.storeOriginalData, [], true, 1), (.storeEncodedImages, [], true, 2),
      (.storeAll, [], true, 1), (.automatic, .disableDiskCacheWrites, true, 2), (.automatic, [], false, 2),
    ] as [(Policy, ImageRequest.Options, Bool, Int)])
  func recents(_ row: (policy: Policy, options: ImageRequest.Options, hasDisk: Bool, loads: Int)) async throws
  {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline {
      ($0.dataCachePolicy, $0.imageCache) = (row.policy, nil)
      if !row.hasDisk { $0.dataCache = nil }
    }

    for name in ["a", "b"] {
      let request = ImageRequest(url: bench.url, processors: [ScriptedProcessor(name)], options: row.options)
      _ = try await pipeline.image(for: request)
      await pipeline.flush()
    }

    #expect(bench.loader.loads(of: bench.url) == row.loads)
  }

  @Test(
    "Bytes on disk with the expected hash are used, and others are removed even if they cannot be replaced")
  func integrity() async throws {
    let (right, wrong) = (try Pictures.png(8, 4), try Pictures.png(4, 8))
    var request = ImageRequest(url: bench.url)
    request.integrity = Integrity(of: right)
    let key = try #require(DataCacheKey.original(request))
    let pipeline = bench.pipeline { $0.imageCache = nil }

    try await bench.disk.store(CachedData(right), for: key)
    let response = try await pipeline.response(for: request)
    #expect(response.origin == .disk && bench.loader.requests.isEmpty)

    try await bench.disk.store(CachedData(wrong), for: key)
    bench.loader.fail(bench.url, with: .headTooLarge)
    let error = await pipeline.imageTask(with: request).failure()
    #expect(error?.dataLoadingError == .headTooLarge && bench.disk.entries.isEmpty)
  }

  @Test("A request that waits for storage waits for an image from memory that is still being stored")
  func waiting() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let hold = Latch()
    let pipeline = bench.pipeline { $0.dataCache = ScriptedDataCache(error: .diskFull, latch: hold) }
    _ = try await pipeline.image(for: bench.url)

    let patient = pipeline.imageTask(with: ImageRequest(url: bench.url, options: .waitForStorage))
    for _ in 0..<1_000 where patient.status.result == nil { await Task.yield() }
    #expect(patient.status.result == nil)
    // It is not on disk, and waits to be written there.
    #expect(await pipeline.cache.contains(ImageRequest(url: bench.url), in: .disk))
    #expect(await pipeline.cache.contains(ImageRequest(url: bench.other), in: .disk) == false)
    hold.open()

    #expect(try await patient.response.cacheSource == .memory)
    #expect(await pipeline.cache.contains(ImageRequest(url: bench.url), in: .disk) == false)
  }

  @Test(
    "A resize is done by the decoder only if nothing precedes it, and the whole image is not kept encoded")
  func plans() async throws {
    bench.loader.answer(bench.url, with: try Pictures.jpeg(64, 48))
    let resize = ImageProcessors.Resize(width: 16)
    for (policy, processors, thumbnail, smallRuns, size) in [
      (Policy.automatic, [resize], nil, 1, PixelSize(width: 16, height: 12)),
      (.storeAll, [resize], nil, 1, PixelSize(width: 16, height: 12)),
      (.storeOriginalData, [resize], nil, 1, PixelSize(width: 16, height: 12)),
      (.storeEncodedImages, [resize], nil, 0, PixelSize(width: 16, height: 12)),
      (
        .automatic, [ImageProcessors.Crop(size: CGSize(width: 40, height: 40)), resize], nil, 0,
        PixelSize(width: 16, height: 16)
      ),
      (
        .automatic, [resize], ImageRequest.ThumbnailOptions(maxPixelSize: 8), 1,
        PixelSize(width: 8, height: 6)
      ),
    ] as [(Policy, [any ImageProcessing], ImageRequest.ThumbnailOptions?, Int, PixelSize)] {
      let decoder = ScriptedDecoder()
      var request = ImageRequest(url: bench.url, processors: processors)
      request.thumbnail = thumbnail
      let pipeline = bench.pipeline {
        ($0.dataCachePolicy, $0.decoders, $0.imageCache, $0.dataCache) = (policy, [decoder], nil, nil)
      }

      #expect(try await pipeline.image(for: request).size == size)
      #expect(decoder.smallRuns == smallRuns && decoder.runs == 1, "\(policy)")
    }
  }

  @Test("The image of a closure keeps its scale unless the request has one")
  func scales() async throws {
    var picture = try Pictures.gradient(8, 4)
    picture.scale = 3
    let request = ImageRequest(id: "a", image: { [picture] in picture })
    var scaled = request
    scaled.scale = 2

    #expect(try await bench.pipeline().image(for: request).scale == 3)
    #expect(try await bench.pipeline().image(for: scaled).scale == 2)
  }
}
