import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("`ImagePipeline`: entries that cannot be decoded", .timeLimit(.minutes(1)))
struct DamagedEntryTests {
  private struct Cause: Error {}

  /// Fails once, and then decodes.
  private struct FailingOnce: ImageDecoding {
    let error: any Error
    let isFirst = Shared(true)
    let decoder = ImageDecoders.Default()

    func canDecode(_ data: Data) -> Bool { true }
    func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int { 0 }

    func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
      let fails = isFirst.value
      isFirst.change { $0 = false }
      if fails { throw error }
      return try decoder.decode(data, context)
    }
  }

  private static let errors: [(any Error, isCausedByData: Bool)] = [
    (ImageCodecError.truncated, true), (ImageCodecError.corrupt("a"), true), (Cause(), true),
    (ImageCodecError.notAnImage(.html), true), (ImageCodecError.unsupportedFormat(.jpegXL), true),
    (ImageCodecError.tooLarge(width: 1, height: 1, limit: .side(1)), true),
    (ImageCodecError.limitExceeded(.frames(1)), true), (ImageCodecError.unsupportedFeature("a"), true),
    (CancellationError(), false), (ImageCodecError.cancelled, false), (ImageCodecError.outOfMemory, false),
    (ImageCodecError.deadlineExceeded, false), (ImageCodecError.invalidSize("a"), false),
    (ImageCodecError.resamplingFailed("a"), false), (ImageCodecError.missingLibrary("a"), false),
    (ImageCodecError.decoderCrashed(signal: 11), false), (ImageCodecError.decoderMisbehaved("a"), false),
    (ImageCodecError.isolationUnavailable(.platform), false),
  ]

  @Test(
    "Bytes on disk that fail to decode are loaded again only if other bytes might decode",
    arguments: errors.indices)
  func original(index: Int) async throws {
    let (bench, row) = (Bench(), Self.errors[index])
    let request = ImageRequest(url: bench.url)
    let key = try #require(DataCacheKey.original(request))
    let (old, new) = (try Pictures.png(4, 4), try Pictures.png(8, 4))
    try await bench.disk.store(CachedData(old), for: key)
    bench.loader.answer(bench.url, with: new)
    let pipeline = bench.pipeline { $0.decoders = [FailingOnce(error: row.0)] }

    let task = pipeline.imageTask(with: request)
    let error = await task.failure()
    await pipeline.flush()

    #expect((error == nil) == row.isCausedByData)
    #expect(bench.loader.loads(of: bench.url) == (row.isCausedByData ? 1 : 0))
    #expect(bench.disk.entries[key]?.data == (row.isCausedByData ? new : old))
    if row.isCausedByData { #expect(try await task.response.origin == .network) }
  }

  @Test(
    "A variant on disk that fails to decode is made again only if other bytes might decode",
    arguments: errors.indices)
  func variant(index: Int) async throws {
    let (bench, row) = (Bench(), Self.errors[index])
    let request = ImageRequest(url: bench.url, processors: [ScriptedProcessor("a")])
    let key = try #require(DataCacheKey.variant(request))
    try await bench.disk.store(CachedData(try Pictures.png(4, 4)), for: key)
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline { $0.decoders = [FailingOnce(error: row.0)] }

    let error = await pipeline.imageTask(with: request).failure()

    #expect((error == nil) == row.isCausedByData)
    #expect(bench.loader.loads(of: bench.url) == (row.isCausedByData ? 1 : 0))
    await pipeline.flush()
    #expect(bench.disk.entries.count == 1)
  }

  @Test(
    "Damaged bytes on disk are loaded again with budgets and widths of one, however many there are",
    arguments: [false, true])
  func narrow(isEncoded: Bool) async throws {
    let bench = Bench()
    let urls = (0..<8).map { URL(string: "https://example.org/\($0).png") }
    let good = try Pictures.png(8, 4)
    for url in urls {
      let key = try #require(DataCacheKey.original(ImageRequest(url: url)))
      // The header is good.
      try await bench.disk.store(CachedData(good.prefix(40) + Data(count: 100)), for: key)
      bench.loader.answer(url, with: good)
    }
    let pipeline = bench.pipeline {
      $0.decoders = [ImageDecoders.Default()]
      ($0.loadingWidth, $0.loadingWidthPerHost) = (1, 1)
      ($0.decodingWidth, $0.processingWidth) = (1, 1)
      ($0.loadedByteBudget, $0.storingByteBudget, $0.decodingByteBudget) = (1, 1, 1)
    }

    let tasks = urls.map {
      let request = ImageRequest(url: $0, processors: [.resize(width: 4)])
      return Task {
        isEncoded
          ? try await !pipeline.encodedImage(for: request).data.isEmpty
          : try await pipeline.image(for: request).width == 4
      }
    }
    for task in tasks { #expect(try await task.value) }

    #expect(bench.loader.requests.count == 8)
  }

  @Test("Bytes on disk that are damaged are removed if there is nothing to replace them")
  func cacheOnly() async throws {
    let bench = Bench()
    let request = ImageRequest(url: bench.url, options: .returnCacheDataDontLoad)
    let key = try #require(DataCacheKey.original(request))
    try await bench.disk.store(CachedData(Data("nothing".utf8)), for: key)

    let error = await bench.pipeline().imageTask(with: request).failure()

    guard case .dataMissingInCache? = error else { return unexpected(error) }
    #expect(bench.disk.entries.isEmpty)
  }

  @Test("An encoded image on disk is used only if its header is that of an image")
  func encoded() async throws {
    let bench = Bench()
    let request = ImageRequest(url: bench.url, processors: [ScriptedProcessor("a")])
    let key = try #require(DataCacheKey.variant(request))
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let stored = try Pictures.png(4, 4)

    for (data, loads) in [(stored, 0), (Data("nothing".utf8), 1)] {
      try await bench.disk.store(CachedData(data), for: key)
      let response = try await bench.pipeline { $0.imageCache = nil }.encodedImage(for: request)
      #expect((response.data == stored) == (loads == 0) && bench.loader.loads(of: bench.url) == loads)
      #expect(response.contentType == (loads == 0 ? "image/png" : "image/jpeg"))
    }
  }

  @Test("Bytes on disk that are not an image are loaded again for an unprocessed encoded image")
  func encodedOriginal() async throws {
    let bench = Bench()
    let request = ImageRequest(url: bench.url)
    let key = try #require(DataCacheKey.original(request))
    try await bench.disk.store(CachedData(Data("nothing".utf8)), for: key)
    let bytes = try Pictures.png(8, 4)
    bench.loader.answer(bench.url, with: bytes)
    let pipeline = bench.pipeline()

    let response = try await pipeline.encodedImage(for: request)
    await pipeline.flush()

    #expect(response.data == bytes && response.cacheSource == nil)
    #expect(bench.disk.entries[key]?.data == bytes && bench.loader.loads(of: bench.url) == 1)
  }

  @Test("Bytes that are requested are stored only if decoding them is within the limits")
  func limits() async throws {
    struct Costly: ImageDecoding {
      let cost: Int
      func canDecode(_ data: Data) -> Bool { true }
      func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int { cost }
      func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image { throw Cause() }
    }
    for (cost, isStored) in [(300, true), (301, false), (-1, true)] {
      let bench = Bench()
      bench.loader.answer(bench.url, with: Data([1]))
      let pipeline = bench.pipeline {
        $0.decoders = [Costly(cost: cost)]
        ($0.decodingLimits.maximumDecodedBytes, $0.decodingLimits.maximumWorkingBytes) = (100, 200)
      }

      _ = try await pipeline.data(for: bench.url)
      await pipeline.flush()

      #expect(bench.disk.writes.count == (isStored ? 1 : 0), "\(cost)")
    }
  }

  @Test(
    "An animation that cannot be read is removed from the disk only if its bytes are to blame",
    arguments: [
      ("html", 0), ("start", 0), ("size", 1), ("own", 1),
    ])
  func animations(_ kind: String, _ count: Int) async throws {
    struct Own: ImageDecoding {
      func canDecode(_ data: Data) -> Bool { data == Data("own".utf8) }
      func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int { 0 }
      func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image { throw Cause() }
    }
    let bench = Bench()
    let bytes =
      switch kind {
      case "html": Data("<html>".utf8)
      case "start": try Pictures.png().prefix(20)
      case "own": Data("own".utf8)
      default: try Pictures.png()
      }
    var request = ImageRequest(url: bench.url)
    if kind == "size" { request.processors = [.resize(width: .nan)] }
    let pipeline = bench.pipeline { $0.decoders = [Own(), ImageDecoders.Default()] }
    try await pipeline.cache.store(bytes, for: request)

    let recorder = pipeline.animationPublisher(with: request).record()

    guard case .failure(let error)? = await recorder.ended() else { return unexpected(recorder.events) }
    let codes = [
      "html": "pipeline.not-an-image.html", "start": "codec.truncated", "size": "codec.invalid-size",
    ]
    #expect(error.code == codes[kind] ?? "pipeline.not-an-image.text")
    #expect(bench.disk.entries.count == count && bench.loader.requests.isEmpty)
  }

  @Test(
    "An animation is resized by its thumbnail, or else by its first processor, and processed by the others")
  func processors() async throws {
    let bench = Bench()
    bench.loader.answer(bench.url, with: try Pictures.png(32, 16))
    let runs = [ScriptedProcessor("a"), ScriptedProcessor("b")]
    let resize = ImageProcessors.Resize(width: 8)
    for (thumbnail, processors, size) in [
      (nil, [resize], PixelSize(width: 8, height: 4)),
      (ImageRequest.ThumbnailOptions(maxPixelSize: 16), [], PixelSize(width: 16, height: 8)),
      (.init(maxPixelSize: 16), [resize], PixelSize(width: 8, height: 4)),
      (.init(maxPixelSize: 4), [resize], PixelSize(width: 4, height: 2)),
      (nil, [runs[0], resize], PixelSize(width: 8, height: 4)),
      (nil, [resize, runs[0], runs[1]], PixelSize(width: 8, height: 4)),
    ] as [(ImageRequest.ThumbnailOptions?, [any ImageProcessing], PixelSize)] {
      var request = ImageRequest(url: bench.url, processors: processors)
      request.thumbnail = thumbnail
      let recorder = bench.pipeline().animationPublisher(with: request).record()
      #expect(await recorder.endsWell())
      let animation = try #require(recorder.values.first)
      let frames = animation.frames.record()

      #expect(animation.request == request && animation.info.storedSize == PixelSize(width: 32, height: 16))
      #expect(frames.values.map(\.image.size) == [size] && frames.completions.count == 1)
    }
    #expect(runs.map(\.runs) == [2, 1])
  }
}
