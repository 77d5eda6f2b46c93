import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("Encoded images", .timeLimit(.minutes(20)))
struct EncodedImageTests {
  /// Counts, and waits if it is told to.
  private struct CountingEncoder: ImageEncoding {
    let count = Shared(0)
    let begun = Latch()
    let goOn = DispatchSemaphore(value: 0)
    var waits = false
    var fails = false

    func encode(_ image: Image) throws -> Data {
      count.change { $0 += 1 }
      begun.open()
      if waits { goOn.wait() }
      if fails { throw ImageCodecError.outOfMemory }
      return try ImageEncoders.Fixed(encoding: .webp()).encode(image)
    }
  }

  private func small(_ workshop: Workshop) throws -> ImageRequest {
    workshop.server.serve("/a", .bytes(try Pictures.jpeg(64, 48)))
    return ImageRequest(url: workshop.server.url("/a"), processors: [.resize(width: 16)])
  }

  @Test("An encoded image is encoded once, and read from disk without decoding")
  func stored() async throws {
    try await withWorkshop { workshop in
      let request = try small(workshop)
      let encoder = CountingEncoder()
      let first = workshop.pipeline { $0.encoder = encoder }
      let made = try await first.encodedImage(for: request)
      await first.flush()

      let decoder = ScriptedDecoder()
      let second = workshop.pipeline {
        $0.encoder = encoder
        $0.decoders = [decoder]
      }
      let found = try await second.encodedImage(for: request)

      #expect(try ImageDecoder.decode(made.data).size == PixelSize(width: 16, height: 12))
      #expect(made.contentType == "image/webp" && found.contentType == "image/webp")
      #expect(found.data == made.data)
      #expect(made.cacheSource == nil && found.cacheSource == .disk)
      #expect(decoder.runs == 0)
      #expect(encoder.count.value == 1)
      #expect(workshop.loads(of: "/a") == 1)
      #expect(try await second.response(for: request).cacheSource == .disk)
      await second.flush()
    }
  }

  @Test("The delegate prepares the request of an encoded image once")
  func prepared() async throws {
    try await withWorkshop { workshop in
      let request = try small(workshop)
      let count = Shared(0)
      let delegate = RecordingDelegate { request in
        count.change { $0 += 1 }
        return request
      }
      let pipeline = workshop.pipeline { $0.delegate = delegate }

      _ = try await pipeline.encodedImage(for: request)

      #expect(count.value == 1)
      await pipeline.flush()
    }
  }

  @Test("Concurrent requests for an encoded image share one load and one encoding")
  func coalesced() async throws {
    try await withWorkshop { workshop in
      let request = try small(workshop)
      var encoder = CountingEncoder()
      encoder.waits = true
      let pipeline = workshop.pipeline { [encoder] in $0.encoder = encoder }

      let tasks = (0..<5).map { _ in
        Task { () throws(ImagePipeline.Error) in try await pipeline.encodedImage(for: request).data }
      }
      await until { pipeline.encodings.waitingCount == 5 }
      encoder.goOn.signal()
      var all: Set<Data> = []
      for task in tasks { all.insert(try await task.value) }
      await pipeline.flush()

      #expect(all.count == 1)
      #expect(encoder.count.value == 1)
      #expect(workshop.loads(of: "/a") == 1)
    }
  }

  @Test("The encoding of an image in memory is stored on disk")
  func fromMemory() async throws {
    try await withWorkshop { workshop in
      let request = try small(workshop)
      let pipeline = workshop.pipeline { $0.dataCachePolicy = .automatic }
      var unstored = request
      unstored.options.insert(.disableDiskCacheWrites)
      _ = try await pipeline.image(for: unstored)
      await pipeline.flush()
      #expect(workshop.cachedFiles.isEmpty)

      let made = try await pipeline.encodedImage(for: request)
      await pipeline.flush()

      #expect(made.contentType == "image/jpeg")
      #expect(workshop.cachedFiles.count == 1)
      #expect(try await workshop.pipeline().encodedImage(for: request).cacheSource == .disk)
    }
  }

  @Test("An unprocessed encoded image keeps its loaded bytes, and bytes of other formats fail")
  func original() async throws {
    try await withWorkshop { workshop in
      let bytes = try Pictures.png(8, 4)
      workshop.server.serve("/a", .bytes(bytes, type: "text/html"))
      workshop.server.serve("/b", .bytes(Data("<script>".utf8), type: "image/png"))
      let pipeline = workshop.pipeline()

      let found = try await pipeline.encodedImage(for: workshop.server.url("/a"))
      let failure = await imageFailure { () throws(ImagePipeline.Error) in
        try await pipeline.encodedImage(for: workshop.server.url("/b"))
      }

      #expect(found.data == bytes)
      #expect(found.contentType == "image/png")
      guard case .notAnImage? = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      await pipeline.flush()
    }
  }

  @Test("An image supplied by a closure is encoded")
  func supplied() async throws {
    try await withWorkshop { workshop in
      let image = try ImageDecoder.decode(Pictures.png(8, 4))
      let request = ImageRequest(id: "drawn", image: { image })
      let pipeline = workshop.pipeline()

      let made = try await pipeline.encodedImage(for: request)
      await pipeline.flush()

      #expect(try ImageDecoder.decode(made.data).size == image.size)
    }
  }

  @Test("Two formats of one image share its load and decoding, and are stored separately")
  func formats() async throws {
    try await withWorkshop { workshop in
      var (webp, jpeg) = (try small(workshop), try small(workshop))
      (webp.encoding, jpeg.encoding) = (.webp(quality: 0.5), .jpeg(quality: 0.5))
      let (gate, decoder) = (try Gate(), ScriptedDecoder())
      workshop.server.serve("/a", .bytes(try Pictures.jpeg(64, 48)).with { $0.gate = gate })
      let first = workshop.pipeline {
        $0.decoders = [decoder]
        $0.encoder = CountingEncoder(fails: true)
      }

      let tasks = [webp, jpeg].map { request in
        Task { () throws(ImagePipeline.Error) in try await first.encodedImage(for: request) }
      }
      await until { first.images.waitingCount == 2 }
      gate.open()
      let made = [try await tasks[0].value, try await tasks[1].value]
      await first.flush()
      let second = workshop.pipeline()
      let found = [try await second.encodedImage(for: webp), try await second.encodedImage(for: jpeg)]

      #expect(made.map(\.contentType) == ["image/webp", "image/jpeg"])
      #expect(found.map(\.data) == made.map(\.data))
      #expect(found.map(\.cacheSource) == [.disk, .disk])
      #expect(decoder.runs == 1)
      #expect(workshop.loads(of: "/a") == 1)
      #expect(workshop.cachedFiles.count == 2)
    }
  }

  @Test("An image in another format is encoded from the loaded image, not from a stored encoding")
  func generations() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.png(64, 48)))
      var request = ImageRequest(url: workshop.server.url("/a"), processors: [.resize(width: 16)])
      let first = workshop.pipeline { $0.encoder = ImageEncoders.Default(quality: 0) }
      _ = try await first.encodedImage(for: request)
      await first.flush()

      request.encoding = .png
      let pipeline = workshop.pipeline { $0.imageCache = nil }
      let exact = try await pipeline.encodedImage(for: request)
      await pipeline.flush()
      let alone = try await workshop.pipeline {
        ($0.imageCache, $0.dataCache) = (nil, nil)
      }.image(for: request)

      #expect(try ImageDecoder.decode(exact.data) == alone)
    }
  }

  @Test("An encoding does not join a job that reads a stored encoding")
  func generationsInFlight() async throws {
    let (bench, disk, held) = (Bench(), ChangingDisk(), Latch())
    bench.loader.answer(bench.url, with: try Pictures.png(64, 48))
    var request = ImageRequest(url: bench.url, processors: [.resize(width: 16)])
    let alone = try await bench.pipeline { ($0.imageCache, $0.dataCache) = (nil, nil) }.image(for: request)
    let first = bench.pipeline {
      ($0.dataCache, $0.imageCache, $0.encoder) = (disk, nil, ImageEncoders.Default(quality: 0))
    }
    _ = try await first.encodedImage(for: request)
    await first.flush()

    bench.loader.answer(bench.url, with: try Pictures.png(64, 48), onDemand: true)
    let second = bench.pipeline { ($0.dataCache, $0.imageCache) = (disk, nil) }
    let reads = Latch()
    disk.onRead {
      reads.open()
      await held.wait()
    }
    let stored = second.imageTask(with: request)
    await reads.wait()
    request.encoding = .png
    let encoding = Task { [request] () throws(ImagePipeline.Error) in
      try await second.encodedImage(for: request)
    }
    await until { second.images.waitingCount == 2 }
    let isSeparate = second.images.count == 2
    if isSeparate {
      await bench.loader.waitForLoad(of: bench.url, count: 3)
      bench.loader.sendRest(of: bench.url)
    }
    held.open()
    let exact = try await encoding.value

    #expect(isSeparate && stored.isCancelled == false)
    #expect(try ImageDecoder.decode(exact.data) == alone)
    #expect(try await stored.response.cacheSource == .disk)
    await second.flush()
  }

  @Test("An unprocessed image is encoded in the format of the request")
  func named() async throws {
    try await withWorkshop { workshop in
      let bytes = try Pictures.png(8, 4)
      workshop.server.serve("/a", .bytes(bytes))
      var request = ImageRequest(url: workshop.server.url("/a"))
      request.encoding = .losslessWebP
      let pipeline = workshop.pipeline { $0.dataCachePolicy = .automatic }

      let made = try await pipeline.encodedImage(for: request)
      let image = try await pipeline.response(for: request)
      let data = try await pipeline.data(for: request)
      await pipeline.flush()

      #expect(made.contentType == "image/webp")
      #expect(try ImageDecoder.decode(made.data) == image.image)
      #expect(image.format == .png)
      #expect(data.data == bytes)
    }
  }

  @Test("An encoded image is cached on delivery, while others are still being encoded")
  func foundAtOnce() async throws {
    try await withWorkshop { workshop in
      let first = try small(workshop)
      var second = first
      second.processors = [.resize(width: 8)]
      var encoder = CountingEncoder()
      encoder.waits = true
      let pipeline = workshop.pipeline { [encoder] in ($0.encoder, $0.imageCache) = (encoder, nil) }

      async let made = pipeline.encodedImage(for: first)
      await encoder.begun.wait()
      let other = Task { [second] () throws(ImagePipeline.Error) in
        try await pipeline.encodedImage(for: second)
      }
      await until { pipeline.counts(of: .encoding) == (waiting: 1, running: 1) }
      encoder.goOn.signal()
      let bytes = try await made.data

      #expect(await pipeline.cache.contains(first, in: .disk))
      await until { encoder.count.value == 2 }
      encoder.goOn.signal()
      _ = try await other.value
      await pipeline.flush()
      #expect(try await pipeline.encodedImage(for: first).data == bytes)
    }
  }

  @Test("Images that wait to be encoded count as memory of decoding")
  func bounded() async throws {
    try await withWorkshop { workshop in
      let request = try small(workshop)
      let decoder = ScriptedDecoder()
      var encoder = CountingEncoder()
      encoder.waits = true
      let pipeline = workshop.pipeline { [encoder] in
        ($0.encoder, $0.decoders, $0.imageCache, $0.decodingByteBudget) = (encoder, [decoder], nil, 1)
      }

      let start = { (width: Int) in
        var request = request
        request.processors = [.resize(width: Double(width))]
        return Task { [request] () throws(ImagePipeline.Error) in
          try await pipeline.encodedImage(for: request)
        }
      }
      let first = start(1)
      await encoder.begun.wait()
      let tasks = [first] + (2...6).map(start)
      await until { pipeline.counts(of: .decoding) == (waiting: 5, running: 0) }

      #expect(decoder.runs == 1)
      for _ in tasks { encoder.goOn.signal() }
      for task in tasks { _ = try await task.value }
      #expect(decoder.runs == 6)
      await pipeline.flush()
    }
  }

  @Test("An encoded image in memory is delivered during the first request")
  func immediate() async throws {
    try await withWorkshop { workshop in
      let request = try small(workshop)
      let memory = EncodedMemoryCache(over: nil)
      let pipeline = workshop.pipeline { ($0.dataCache, $0.imageCache) = (memory, nil) }
      let made = try await pipeline.encodedImage(for: request)
      await pipeline.flush()
      let reads = memory.statistics

      let found = Shared<[DataResponse]>([])
      let subscription = pipeline.encodedImagePublisher(with: request).sink { _ in
      } receiveValue: { response in
        found.change { $0.append(response) }
      }
      withExtendedLifetime(subscription) {}

      #expect(found.value.map(\.data) == [made.data])
      #expect(found.value.first?.entityTag == made.entityTag)
      #expect(found.value.first?.cacheSource == .disk)
      #expect(memory.statistics.hits == reads.hits + 1 && memory.statistics.misses == reads.misses)
      let cancelled = Task { () throws(ImagePipeline.Error) in
        withUnsafeCurrentTask { $0?.cancel() }
        return try await pipeline.encodedImage(for: request)
      }
      await #expect(throws: ImagePipeline.Error.self) { try await cancelled.value }
      pipeline.invalidate()
      await #expect(throws: ImagePipeline.Error.self) { try await pipeline.encodedImage(for: request) }
    }
  }

  @Test("An image that cannot be encoded fails and is not stored")
  func failing() async throws {
    try await withWorkshop { workshop in
      let request = try small(workshop)
      var encoder = CountingEncoder()
      encoder.fails = true
      let pipeline = workshop.pipeline { [encoder] in $0.encoder = encoder }

      let failure = await imageFailure { () throws(ImagePipeline.Error) in
        try await pipeline.encodedImage(for: request)
      }
      await pipeline.flush()

      guard case .encodingFailed? = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(workshop.cachedFiles.isEmpty)
    }
  }

  @Test("An encoded image is not stored if it is removed during encoding")
  func removed() async throws {
    try await withWorkshop { workshop in
      let request = try small(workshop)
      var encoder = CountingEncoder()
      encoder.waits = true
      let pipeline = workshop.pipeline { [encoder] in $0.encoder = encoder }

      let task = Task { () throws(ImagePipeline.Error) in try await pipeline.encodedImage(for: request) }
      await encoder.begun.wait()
      await pipeline.cache.removeAll()
      encoder.goOn.signal()
      let made = try await task.value
      await pipeline.flush()

      #expect(made.data.isEmpty == false)
      #expect(workshop.cachedFiles.isEmpty)
    }
  }
}
