import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("Encodings that are stored or delivered", .timeLimit(.minutes(1)))
struct StoredEncodingTests {
  private let bench = Bench()

  /// Writes which of its functions was called.
  private struct Naming: ImageEncoding {
    func encode(_ image: Image) throws -> Data { Data("plain".utf8) }
    func encode(_ image: Image, decodedFrom original: Data) throws -> Data {
      Data("original \(original.count)".utf8)
    }
    func encode(_ image: Image, keeping kept: KeptMetadata, of metadata: ImageMetadata) throws -> Data {
      Data("\(kept) of \(metadata.camera.make ?? "none")".utf8)
    }
  }

  @Test(
    "A stored image is encoded from its original if it has one, and with the metadata that it keeps",
    arguments: [
      ("png", false, KeptMetadata.none, "original"), ("png", true, .none, "plain"),
      ("png", false, .copyright, "\(KeptMetadata.copyright) of Maker"),
      ("png", true, .all, "\(KeptMetadata.all) of Maker"),
      ("gif", false, .none, "original"), ("gif", false, .copyright, "original"),
      ("gif", true, .none, "plain"),
    ])
  func stored(_ format: String, _ isProcessed: Bool, _ kept: KeptMetadata, _ text: String) async throws {
    let bytes = format == "gif" ? Camera.gif : try AnnotatedPicture.file(8, 4, as: .png)
    bench.loader.answer(bench.url, with: bytes)
    var request = ImageRequest(url: bench.url, processors: isProcessed ? [ScriptedProcessor("a")] : [])
    request.keptMetadata = kept
    let pipeline = bench.pipeline { ($0.dataCachePolicy, $0.encoder) = (.storeEncodedImages, Naming()) }

    let response = try await pipeline.response(for: request)
    await pipeline.flush()

    let expected = text == "original" ? "original \(bytes.count)" : text
    #expect(bench.disk.entries.values.map { String(decoding: $0.data, as: UTF8.self) } == [expected])
    #expect((response.metadata != nil) == kept.readsFile)
  }

  @Test("By default, only a GIF is stored as it was")
  func original() throws {
    struct Plain: ImageEncoding { func encode(_ image: Image) throws -> Data { Data("plain".utf8) } }
    let image = try Pictures.gradient(2, 1)

    #expect(try Plain().encode(image, decodedFrom: Camera.gif) == Camera.gif)
    #expect(try Plain().encode(image, decodedFrom: Pictures.png()) == Data("plain".utf8))
    #expect(try Plain().encode(image, keeping: .all, of: ImageMetadata()) == Data("plain".utf8))
  }

  @Test("The included encoder chooses JPEG only for eight bits without alpha")
  func formats() throws {
    for (format, isJPEG) in [
      (Image.PixelFormat.gray8, true), (.rgb8, true), (.rgba8, false), (.rgb16, false), (.rgba16, false),
    ] {
      let data = try ImageEncoders.Default().encode(Image(width: 4, height: 4, pixelFormat: format))
      #expect(
        ImageFormat(sniffing: data.prefix(ImageFormat.sniffingLength)) == (isJPEG ? .jpeg : .png), "\(format)"
      )
    }
  }

  private struct Seeing: ImagePipelineDelegate {
    let seen = Shared<[Int?]>([])

    func willStore(_ data: Data, of image: Image?, for request: ImageRequest) async -> Data? {
      seen.change { $0.append(image?.width) }
      return data
    }
  }

  @Test("A delegate receives the image of an encoding that is stored", arguments: [true, false])
  func delegate(_ isDelivered: Bool) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let delegate = Seeing()
    let pipeline = bench.pipeline { $0.delegate = delegate }
    let request = ImageRequest(url: bench.url, processors: [ScriptedProcessor("a")])

    if isDelivered {
      _ = try await pipeline.encodedImage(for: request)
    } else {
      _ = try await pipeline.image(for: request)
    }
    await pipeline.flush()

    #expect(delegate.seen.value == [8] && bench.disk.writes == [DataCacheKey.variant(request)])
  }

  @Test("Encoding for the disk has a low priority, and for a caller that of its request")
  func priorities() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    pipeline.suspend(.encoding)
    let request = ImageRequest(url: bench.url, processors: [ScriptedProcessor("a")], priority: .high)

    _ = try await pipeline.image(for: request)
    await until { pipeline.counts(of: .encoding) == (1, 0) }
    #expect(pipeline.waitingPriorities(of: .encoding) == [.low])
    let recorder = pipeline.encodedImagePublisher(with: request).record()
    await until { pipeline.counts(of: .encoding) == (2, 0) }
    #expect(Set(pipeline.waitingPriorities(of: .encoding)) == [.low, .high])
    pipeline.resume(.encoding)

    #expect(await recorder.endsWell())
    await pipeline.flush()
  }

  @Test("Concurrent requests for an encoded image report that they share it")
  func coalesced() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    let pipeline = bench.pipeline()
    let request = ImageRequest(url: bench.url, processors: [ScriptedProcessor("a")])
    let recorders = (0..<3).map { _ in pipeline.encodedImagePublisher(with: request).record() }
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendRest(of: bench.url)
    for recorder in recorders { #expect(await recorder.endsWell()) }
    await pipeline.flush()

    #expect(recorders.flatMap(\.values).map(\.wasCoalesced) == [false, true, true])
    #expect(Set(bench.disk.writes) == [try #require(DataCacheKey.variant(request))])
  }

  @Test("The loaded bytes of a request are not its encoding, even if that is in memory")
  func bytes() async throws {
    let loaded = try Pictures.png(8, 4)
    bench.loader.answer(bench.url, with: loaded)
    let memory = EncodedMemoryCache(over: nil)
    let pipeline = bench.pipeline { $0.dataCache = memory }
    let request = ImageRequest(url: bench.url, processors: [ScriptedProcessor("a")])
    let encoded = try await pipeline.encodedImage(for: request)
    await pipeline.flush()

    let data = pipeline.dataPublisher(with: request).record()
    let again = pipeline.encodedImagePublisher(with: request).record()

    #expect(again.values.map(\.data) == [encoded.data])
    #expect(await data.endsWell())
    #expect(data.values.map(\.data) == [loaded] && loaded != encoded.data)
  }

  @Test("Metadata of a format that only an own decoder reads is empty")
  func foreign() async throws {
    struct Own: ImageDecoding {
      func canDecode(_ data: Data) -> Bool { true }
      func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int { 0 }
      func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
        try Pictures.gradient(2, 1)
      }
    }
    bench.loader.answer(bench.url, with: Data("own".utf8))
    var request = ImageRequest(url: bench.url)
    request.keptMetadata = .all

    let response = try await bench.pipeline { $0.decoders = [Own()] }.response(for: request)

    let metadata = try #require(response.metadata)
    #expect(response.image.width == 2 && metadata.exif == nil && metadata.xmp == nil)
  }

  @Test("Only a thumbnail that asks for it is the embedded one")
  func embedded() async throws {
    bench.loader.answer(bench.url, with: try Camera.jpeg())
    let resized = ImageRequest(url: bench.url, processors: [.resize(width: 80)])
    var thumbnail = ImageRequest(url: bench.url)
    thumbnail.thumbnail = .init(maxPixelSize: 80)

    for request in [resized, thumbnail] {
      let image = try await bench.pipeline { $0.decoders = [ImageDecoders.Default()] }.image(for: request)
      #expect(image.width == 80 && (image.pixel(x: 9, y: 9)?.blue ?? 255) < 100)
    }
  }

  @Test("A stage is described by its name, its outcome and its request")
  func stages() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let pipeline = bench.pipeline()
    let stages = pipeline.stageEvents.record()

    _ = try await pipeline.image(for: bench.url)
    await until { stages.values.contains { $0.stage == .decode } }
    stages.cancel()

    let event = try #require(stages.values.first { $0.stage == .load })
    #expect(event.description == "load succeeded after \(event.duration): \(event.request)")
    #expect(stages.values.allSatisfy { $0.errorCode == nil })
  }
}
