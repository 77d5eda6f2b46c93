import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("`ImagePipeline`: caching", .timeLimit(.minutes(20)))
struct CachingFlowTests {
  @Test("A processed image is returned from disk in the next run without a load")
  func secondRun() async throws {
    try await withWorkshop { workshop in
      let decoder = ScriptedDecoder()
      workshop.server.serve("/a", .bytes(try Pictures.jpeg(64, 48)))
      let request = ImageRequest(url: workshop.server.url("/a"), processors: [.resize(width: 16)])
      let first = workshop.pipeline()
      let loaded = try await first.response(for: request)
      #expect(loaded.cacheSource == nil)
      await first.flush()

      let second = workshop.pipeline { $0.decoders = [decoder] }
      let found = try await second.response(for: request)

      #expect(found.cacheSource == .disk)
      #expect(found.origin == .disk)
      #expect(found.image.size == PixelSize(width: 16, height: 12))
      #expect(found.url == workshop.server.url("/a"))
      #expect(decoder.smallRuns == 0)
      #expect(workshop.loads(of: "/a") == 1)
      await second.flush()
      #expect(workshop.cachedFiles.count == 1)
    }
  }

  @Test("An image from disk has its URL, however long it is")
  func longURL() async throws {
    let bench = Bench()
    let url = try #require(
      URL(string: "https://user:word@example.org/a?b=" + String(repeating: "c", count: 5_000)))
    bench.loader.answer(url, with: try Pictures.png(8, 4))
    let requests = [ImageRequest(url: url), ImageRequest(url: url, processors: [.resize(width: 4)])]
    let pipeline = bench.pipeline { $0.imageCache = nil }
    for request in requests { _ = try await pipeline.image(for: request) }
    await pipeline.flush()

    for request in requests {
      let found = try await bench.pipeline { $0.imageCache = nil }.response(for: request)

      #expect(found.cacheSource == .disk)
      #expect(found.url?.absoluteString == url.absoluteString.replacing("user:word@", with: ""))
    }
  }

  @Test("The URL of an image in a data URL is not stored with it")
  func dataURL() async throws {
    let bench = Bench()
    let image = try Pictures.png(8, 4).base64EncodedString()
    let request = ImageRequest(
      url: URL(string: "data:image/png;base64," + image), processors: [.resize(width: 4)])
    let pipeline = bench.pipeline {
      $0.imageCache = nil
      $0.dataLoader = SchemeLoader(network: bench.loader)
    }
    _ = try await pipeline.image(for: request)
    await pipeline.flush()

    #expect(bench.disk.entries.values.map(\.attributes) == [[:]])
  }

  @Test("A memory cache of the program does not hold the loaded bytes")
  func loadedBytes() async throws {
    let bench = Bench()
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let requests = [
      ImageRequest(url: bench.url), ImageRequest(url: bench.url, processors: [.resize(width: 4)]),
    ]
    let pipeline = bench.pipeline()

    _ = try await pipeline.image(for: requests[0])
    _ = try await pipeline.encodedImage(for: requests[1])
    await pipeline.flush()

    for request in requests {
      #expect(try #require(bench.memory.entries[ImageCacheKey(request)]).fresh == nil)
    }
    #expect(bench.disk.entries.count == 2)
  }

  @Test("Bytes that are being written to disk are not loaded again")
  func underway() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.jpeg(64, 48)))
      let url = workshop.server.url("/a")
      let hold = Latch()
      let pipeline = workshop.pipeline {
        $0.dataCachePolicy = .storeAll
        $0.dataCache = ScriptedDataCache(error: .diskFull, latch: hold)
      }

      _ = try await pipeline.image(for: ImageRequest(url: url, processors: [.resize(width: 16)]))
      let original = try await pipeline.response(for: url)
      hold.open()

      #expect(original.origin == .disk)
      #expect(original.image.width == 64)
      #expect(workshop.loads(of: "/a") == 1)
      await pipeline.flush()
    }
  }

  @Test("A variant of an original on disk is stored, and not reported as a cache hit")
  func derived() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.jpeg(64, 48)))
      let url = workshop.server.url("/a")
      let small = ImageRequest(url: url, processors: [.resize(width: 16)])
      let first = workshop.pipeline()
      _ = try await first.image(for: url)
      await first.flush()

      let second = workshop.pipeline()
      let derived = try await second.response(for: small)
      #expect(derived.cacheSource == nil)
      #expect(derived.origin == .disk)
      await second.flush()

      #expect(try await workshop.pipeline().response(for: small).cacheSource == .disk)
      #expect(try await workshop.pipeline().response(for: url).cacheSource == .disk)
      #expect(workshop.loads(of: "/a") == 1)
    }
  }

  @Test("An image in memory is processed further without decoding it again")
  func fromMemory() async throws {
    try await withWorkshop { workshop in
      let decoder = ScriptedDecoder()
      let pipeline = workshop.pipeline { $0.decoders = [decoder] }
      workshop.server.serve("/a", .bytes(try Pictures.jpeg(64, 48)))
      let url = workshop.server.url("/a")
      _ = try await pipeline.image(for: url)

      let small = try await pipeline.response(for: ImageRequest(url: url, processors: [.resize(width: 16)]))

      #expect(small.image.width == 16)
      #expect(small.cacheSource == nil)
      #expect(small.origin == .memory)
      #expect(decoder.runs == 1)
    }
  }

  @Test("An image is decoded at a reduced size if the request needs no more")
  func decodedSmall() async throws {
    try await withWorkshop { workshop in
      let decoder = ScriptedDecoder()
      let pipeline = workshop.pipeline { $0.decoders = [decoder] }
      workshop.server.serve("/a", .bytes(try Pictures.jpeg(64, 48)))
      let url = workshop.server.url("/a")
      var thumbnail = ImageRequest(url: url)
      thumbnail.thumbnail = .init(maxPixelSize: 12)

      #expect(
        try await pipeline.image(for: ImageRequest(url: url, processors: [.resize(width: 16)])).width == 16)
      #expect(try await pipeline.image(for: thumbnail).size == PixelSize(width: 12, height: 9))
      #expect(decoder.smallRuns == 2)
      let enlarged = ImageRequest(url: url, processors: [.resize(width: 128, upscale: true)])
      #expect(try await pipeline.image(for: enlarged).width == 128)

      #expect(decoder.runs == 3)
      #expect(decoder.smallRuns == 2)
    }
  }

  @Test(
    "The storage policy determines the stored files, which the next run reads",
    arguments: [
      (.automatic, ["plain": 1, "small": 1]),
      (.storeOriginalData, ["plain": 1, "small": 1]),
      (.storeEncodedImages, ["plain": 1, "small": 1]),
      (.storeAll, ["plain": 1, "small": 2]),
    ] as [(ImagePipeline.DataCachePolicy, [String: Int])])
  func policies(_ row: (policy: ImagePipeline.DataCachePolicy, files: [String: Int])) async throws {
    for (name, count) in row.files {
      try await withWorkshop { workshop in
        workshop.server.serve("/a", .bytes(try Pictures.jpeg(64, 48)))
        let url = workshop.server.url("/a")
        let request = ImageRequest(url: url, processors: name == "small" ? [.resize(width: 16)] : [])
        let first = workshop.pipeline { $0.dataCachePolicy = row.policy }
        _ = try await first.image(for: request)
        await first.flush()
        #expect(workshop.cachedFiles.count == count, "\(name)")

        let second = workshop.pipeline { $0.dataCachePolicy = row.policy }
        let found = try await second.response(for: request)

        #expect(found.origin == .disk)
        #expect(found.image.width == (name == "small" ? 16 : 64))
        #expect(workshop.loads(of: "/a") == 1)
      }
    }
  }

  @Test("A transparent image keeps its transparency on disk")
  func transparency() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.png(16, 16, alpha: 100)))
      let request = ImageRequest(url: workshop.server.url("/a"), processors: [.resize(width: 8)])
      let first = workshop.pipeline()
      let made = try await first.image(for: request)
      await first.flush()

      let found = try await workshop.pipeline().image(for: request)

      #expect(found == made)
      #expect(found.pixelFormat == .rgba8)
    }
  }

  @Test("Request options disable cache reads and writes")
  func options() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.jpeg()))
      let url = workshop.server.url("/a")
      let pipeline = workshop.pipeline()

      _ = try await pipeline.image(
        for: ImageRequest(url: url, options: [.disableMemoryCacheWrites, .disableDiskCacheWrites]))
      await pipeline.flush()
      #expect(workshop.cachedFiles == [])
      #expect(try await pipeline.response(for: url).cacheSource == nil)
      await pipeline.flush()
      #expect(workshop.loads(of: "/a") == 2)

      let fromDisk = ImageRequest(url: url, options: .disableMemoryCacheReads)
      #expect(try await pipeline.response(for: fromDisk).cacheSource == .disk)
      let anew = ImageRequest(url: url, options: .reloadIgnoringCachedData)
      #expect(try await pipeline.response(for: anew).origin == .network)
      #expect(workshop.loads(of: "/a") == 3)
    }
  }

  @Test("Reloading an image replaces it in memory and on disk")
  func reloading() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", inTurn: [.bytes(try Pictures.png(1, 1)), .bytes(try Pictures.png(2, 2))])
      let url = workshop.server.url("/a")
      let pipeline = workshop.pipeline()
      #expect(try await pipeline.image(for: url).width == 1)
      await pipeline.flush()

      #expect(
        try await pipeline.image(for: ImageRequest(url: url, options: .reloadIgnoringCachedData)).width == 2)
      await pipeline.flush()

      #expect(try await pipeline.response(for: url).image.width == 2)
      #expect(try await workshop.pipeline().response(for: url).image.width == 2)
    }
  }

  @Test("`returnCacheDataDontLoad` returns only cached images")
  func cacheOnly() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.jpeg()))
      let url = workshop.server.url("/a")
      let pipeline = workshop.pipeline()
      let request = ImageRequest(url: url, options: .returnCacheDataDontLoad)

      let error = await imageFailure { () throws(ImagePipeline.Error) in
        try await pipeline.image(for: request)
      }
      guard case .dataMissingInCache = error else { return unexpected(error) }
      #expect(workshop.loads(of: "/a") == 0)

      _ = try await pipeline.image(for: url)
      await pipeline.flush()
      #expect(try await pipeline.response(for: request).cacheSource == .memory)
      let small = ImageRequest(url: url, processors: [.resize(width: 8)], options: .returnCacheDataDontLoad)
      #expect(try await workshop.pipeline().response(for: small).origin == .disk)
      #expect(workshop.loads(of: "/a") == 1)
    }
  }

  @Test("Cached data that cannot be decoded is replaced by a new load", arguments: ["original", "variant"])
  func useless(_ kind: String) async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.jpeg(64, 48)))
      let request = ImageRequest(
        url: workshop.server.url("/a"), processors: kind == "variant" ? [.resize(width: 16)] : [])
      let key = try #require(
        kind == "variant" ? DataCacheKey.variant(request) : DataCacheKey.original(request))
      let cache = DataCache(directory: workshop.cacheDirectory)
      try await cache.store(CachedData(try Pictures.jpeg().prefix(200)), for: key)
      let pipeline = workshop.pipeline()

      let response = try await pipeline.response(for: request)
      await pipeline.flush()

      #expect(response.origin == .network)
      #expect(try await workshop.pipeline().response(for: request).cacheSource == .disk)
      #expect(workshop.loads(of: "/a") == 1)
    }
  }

  @Test("An image that cannot be stored is delivered, and the error is reported")
  func unkept() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.jpeg()))
      let errors = Shared<[DataCacheError]>([])
      let pipeline = workshop.pipeline {
        $0.dataCache = ScriptedDataCache(error: .diskFull)
        $0.onStorageError = { error in errors.change { $0.append(error) } }
      }

      let response = try await pipeline.response(for: workshop.server.url("/a"))
      await pipeline.flush()

      #expect(response.origin == .network)
      #expect(errors.value == [.diskFull])
    }
  }

  @Test("Images from files and data URLs are not stored on disk", arguments: ["file", "data"])
  func local(_ scheme: String) async throws {
    try await withWorkshop { workshop in
      let bytes = try Pictures.png(8, 8)
      let file = try workshop.folder.file("a.png", bytes)
      let url = scheme == "file" ? file : URL(string: "data:image/png;base64,\(bytes.base64EncodedString())")
      let pipeline = workshop.pipeline()

      let response = try await pipeline.response(for: url)
      await pipeline.flush()

      #expect(response.origin == .local)
      #expect(response.image.width == 8)
      #expect(workshop.cachedFiles == [])
      #expect(try await pipeline.response(for: url).cacheSource == .memory)
    }
  }

  @Test("An image has the requested scale from the network, memory and disk")
  func scale() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.jpeg()))
      var request = ImageRequest(url: workshop.server.url("/a"), processors: [.resize(width: 16)])
      request.scale = 2
      let pipeline = workshop.pipeline()

      #expect(try await pipeline.image(for: request).scale == 2)
      #expect(try await pipeline.image(for: request).scale == 2)
      await pipeline.flush()
      #expect(try await workshop.pipeline().image(for: request).scale == 2)
    }
  }
}
