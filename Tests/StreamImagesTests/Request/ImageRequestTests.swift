import Foundation
import StreamImages
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`ImageRequest`", .timeLimit(.minutes(20)))
struct ImageRequestTests {
  private let bench = Bench()

  @Test("A request is one word, and copies share storage until one changes")
  func copies() {
    let original = ImageRequest(url: bench.url)
    var copy = original
    #expect(copy.sharesStorage(with: original))

    copy.priority = .high
    let changed = copy

    #expect(!copy.sharesStorage(with: original) && original.priority == .normal && changed.priority == .high)
    #expect(MemoryLayout<ImageRequest>.size == MemoryLayout<Int>.size)
  }

  @Test("Requests are equal only if all their properties are")
  func equality() {
    let changes: [(inout ImageRequest) -> Void] = [
      { $0.imageID = "a" }, { $0.cachePartition = "a" },
      { $0.integrity = Integrity(String(repeating: "0a", count: 32)) },
      { $0.scale = 2 }, { $0.thumbnail = .init(maxPixelSize: 4) }, { $0.priority = .high },
      { $0.processors = [.resize(width: 4)] }, { $0.options = .disableMemoryCacheReads },
    ]
    let plain = ImageRequest(url: bench.url)
    #expect(plain == ImageRequest(url: bench.url))

    for (index, change) in changes.enumerated() {
      var (first, second) = (ImageRequest(url: bench.url), ImageRequest(url: bench.url))
      change(&first)
      #expect(first != plain, "\(index)")
      change(&second)
      #expect(first == second, "\(index)")
    }
  }

  @Test("Changing an unshared request does not copy it")
  func uniqueness() {
    var request = ImageRequest(url: bench.url)
    let number = withUnsafeBytes(of: &request) { $0.load(as: UInt.self) }

    // After each: a second copy could lie where the first one was.
    request.priority = .high
    #expect(withUnsafeBytes(of: &request) { $0.load(as: UInt.self) } == number)
    request.imageID = "a"
    #expect(withUnsafeBytes(of: &request) { $0.load(as: UInt.self) } == number)
  }

  @Test("A request with an image ID is cached under it, whatever its URL")
  func imageID() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    var (first, second) = (ImageRequest(url: bench.url), ImageRequest(url: bench.other))
    first.imageID = "a"
    second.imageID = "a"

    _ = try await pipeline.image(for: first)
    await pipeline.flush()

    #expect(try await pipeline.response(for: second).cacheSource == .memory)
    bench.memory.removeAll()
    #expect(try await pipeline.response(for: second).cacheSource == .disk)
  }

  @Test("The scale of a request is applied to its image")
  func scale() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    var request = ImageRequest(url: bench.url)
    request.scale = 3

    let scaled = try await bench.pipeline().image(for: request)
    let plain = try await bench.pipeline().image(for: bench.url)

    #expect(scaled.scale == 3 && plain.scale == 1)
    #expect(scaled.size == plain.size)
  }

  @Test(
    "A thumbnail is decoded small, is never enlarged, and stores the original bytes",
    arguments: [
      (ImageRequest.ThumbnailOptions(maxPixelSize: 16), PixelSize(width: 16, height: 12)),
      (.init(maxPixelSize: 1_000), PixelSize(width: 64, height: 48)),
      (.init(width: 16, height: 16), PixelSize(width: 21, height: 16)),
      (.init(width: 16, height: 16, contentMode: .aspectFit), PixelSize(width: 16, height: 12)),
      (.init(width: 8, height: 8, unit: .points(scale: 2)), PixelSize(width: 21, height: 16)),
    ])
  func thumbnails(_ row: (options: ImageRequest.ThumbnailOptions, size: PixelSize)) async throws {
    bench.loader.answer(bench.url, with: try Pictures.jpeg(64, 48))
    var request = ImageRequest(url: bench.url)
    request.thumbnail = row.options
    let pipeline = bench.pipeline { $0.dataCachePolicy = .storeOriginalData }

    #expect(try await pipeline.image(for: request).size == row.size)
    await pipeline.flush()

    #expect(bench.decoder.smallRuns == 1)
    #expect(bench.disk.writes == [try #require(DataCacheKey.original(ImageRequest(url: bench.url)))])
  }

  @Test(
    "A thumbnail uses the embedded one only if allowed and large enough")
  func embeddedThumbnails() async throws {
    bench.loader.answer(bench.url, with: try Camera.jpeg())
    let pipeline = bench.pipeline()
    var request = ImageRequest(url: bench.url)

    for (uses, side, isBlue) in [(false, 80.0, false), (true, 80, true), (true, 200, false)] {
      request.thumbnail = .init(maxPixelSize: side)
      request.thumbnail?.usesEmbeddedThumbnail = uses
      let image = try await pipeline.image(for: request)
      #expect(image.width == Int(side) && ((image.pixel(x: 9, y: 9)?.blue ?? 0) > 100) == isBlue)
    }
  }

  @Test("A thumbnail of invalid size or of bytes that are not an image fails")
  func badThumbnails() async throws {
    bench.loader.answer(bench.url, with: try Pictures.jpeg())
    bench.loader.answer(bench.other, with: Data("<html>".utf8))
    var (sizeless, broken) = (ImageRequest(url: bench.url), ImageRequest(url: bench.other))
    sizeless.thumbnail = .init(maxPixelSize: .nan)
    broken.thumbnail = .init(maxPixelSize: 10)

    let first = await bench.pipeline().imageTask(with: sizeless).failure()
    let second = await bench.pipeline().imageTask(with: broken).failure()

    guard case .processingFailed? = first else { return unexpected(first) }
    guard case .notAnImage? = second else { return unexpected(second) }
  }

  @Test("A request with an invalid scale still loads its image")
  func noScale() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    var request = ImageRequest(url: bench.url)
    request.scale = .nan

    #expect(try await bench.pipeline().image(for: request).width == 8)
  }

  @Test("Requests are compared by the identifiers and order of their processors")
  func processors() {
    let requests = [["a"], ["b"], ["a", "b"], ["b", "a"]].map { names in
      ImageRequest(url: bench.url, processors: names.map { ScriptedProcessor($0) })
    }

    #expect(Set(requests).count == 4)
    #expect(
      requests[2]
        == ImageRequest(url: bench.url, processors: [ScriptedProcessor("a"), ScriptedProcessor("b")]))
  }

  @Test("A request sets the priority of its task, which can change it")
  func priority() async throws {
    bench.loader.hold(bench.url)
    let pipeline = bench.pipeline()
    let task = pipeline.imageTask(with: ImageRequest(url: bench.url, priority: .low))
    let key = try #require(ImageJobKey(task.request))
    await until { pipeline.images.priority(of: key) != nil }
    #expect(pipeline.images.priority(of: key) == .low)

    task.priority = .veryHigh

    #expect(pipeline.images.priority(of: key) == .veryHigh)
    task.cancel()
    task.priority = .low
    #expect(task.priority == .veryHigh)
  }

  @Test("User info reaches decoders and processors and changes no cache key")
  func userInfo() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png())
    let seen = Shared<[Int]>([])
    let note: @Sendable (ImageRequest) -> Void = { request in
      if let value = request.userInfo["page"] as? Int { seen.change { $0.append(value) } }
    }
    let decoder = ScriptedDecoder { note($0.request) }
    let processor = ScriptedProcessor("a") { note($0.request) }
    var request = ImageRequest(url: bench.url, processors: [processor])
    request.userInfo["page"] = 7

    _ = try await bench.pipeline { $0.decoders = [decoder] }.image(for: request)

    #expect(seen.value == [7, 7])
    #expect(ImageCacheKey(request) == ImageCacheKey(ImageRequest(url: bench.url, processors: [processor])))
  }

  @Test("Each builder step returns a modified copy of the request")
  func builder() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(64, 48))
    let pipeline = bench.pipeline()

    let start = pipeline.image(with: bench.url)
    let step = start.resize(width: 32).blur(radius: 2).circle().priority(.high).scale(2).imageID("a")
      .header("Accept", "image/*").userInfo("page", 1).options(.skipDataLoadingQueue)
    let image = try await step.load()

    #expect(image.width == 24 && image.scale == 2)
    #expect(start.request == ImageRequest(url: bench.url))
    #expect(step.request.processors.count == 3 && step.request.priority == .high)
    #expect(step.request.imageID == "a" && step.request.headers["Accept"] == "image/*")
    #expect(step.request.options == .skipDataLoadingQueue && step.request.userInfo["page"] as? Int == 1)
    #expect(try await step.response().cacheSource == .memory)
    #expect(try await step.task().image == image)
    #expect(step.publisher().record().values.count == 1)
  }

  @Test("The description of a request lists its settings without secrets")
  func description() throws {
    var request = ImageRequest(
      url: URL(string: "https://ann:opensesame@example.org/a.png?token=opensesame"),
      processors: [ScriptedProcessor("a")], priority: .high, options: .reloadIgnoringCachedData)
    request.headers.append("Authorization", "opensesame")
    request.userInfo["secret"] = "opensesame"
    request.imageID = "cover"

    let text = "\(request)"

    #expect(!text.contains("opensesame"))
    for part in [
      "example.org/a.png", "scripted a", "high", "disableDiskCacheReads", "cover", "user info secret",
    ] {
      #expect(text.contains(part))
    }
    #expect("\(ImageRequest(id: "avatar", data: { Data() }))".contains("data \"avatar\""))
    #expect("\(ImageRequest(id: "map", image: { throw CancellationError() }))".contains("image \"map\""))
  }

  @Test("Bytes that do not match the integrity are rejected from network and disk")
  func integrity() async throws {
    let (right, wrong) = (try Pictures.png(8, 4), try Pictures.png(4, 8))
    bench.loader.answer(bench.url, with: wrong)
    var request = ImageRequest(url: bench.url)
    request.integrity = Integrity(of: right)
    let pipeline = bench.pipeline()

    let error = await pipeline.imageTask(with: request).failure()
    await pipeline.flush()
    guard case .integrityMismatch(let expected, let received)? = error else { return unexpected(error) }
    #expect(expected == Integrity(of: right) && received == Integrity(of: wrong))
    #expect(bench.disk.writes.isEmpty && bench.decoder.runs == 0)

    bench.loader.answer(bench.url, with: right)
    try await bench.disk.store(CachedData(wrong), for: #require(DataCacheKey.original(request)))
    #expect(try await pipeline.image(for: request).width == 8)
    #expect(ImageCacheKey(request) != ImageCacheKey(ImageRequest(url: bench.url)))
  }

  @Test("`Integrity` parses hexadecimal digits and the web format, and nothing else")
  func integrityText() throws {
    let hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

    #expect(Integrity("sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=")?.sha256 == hash)
    #expect(Integrity(hash.uppercased())?.sha256 == hash)
    #expect(Integrity(of: Data("test".utf8)).sha256 == hash)
    for text in [
      "", "sha256-", "sha256-AAAA", "sha512-n4bQ", String(hash.dropLast()), hash.replacing("9", with: "g"),
    ] {
      #expect(Integrity(text) == nil)
    }
  }
}
