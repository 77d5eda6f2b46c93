import Foundation
import StreamImages
import Testing

@Suite("`ImageEncoders`")
struct EncoderTests {
  private func format(_ data: Data) -> ImageFormat? {
    ImageFormat(sniffing: data.prefix(ImageFormat.sniffingLength))
  }

  @Test("Opaque images are encoded as JPEG and others as PNG, unless configured otherwise")
  func formats() throws {
    let opaque = try Pictures.gradient(20, 20)
    let transparent = try Pictures.gradient(20, 20, alpha: 100)

    #expect(try format(ImageEncoders.Default().encode(opaque)) == .jpeg)
    #expect(try format(ImageEncoders.Default().encode(transparent)) == .png)
    #expect(try format(ImageEncoders.Fixed(encoding: .webp()).encode(opaque)) == .webp)
    #expect(try format(ImageEncoders.Fixed(encoding: .avif()).encode(transparent)) == .avif)
  }

  @Test("16-bit images are encoded as PNG, and the decoder can keep their depth")
  func depth() throws {
    let image = try Image(
      bytes: (0..<96).map { UInt8($0 * 2) }, width: 8, height: 2, pixelFormat: .rgb16, colorSpace: .sRGB)
    let context = ImageDecodingContext(request: "https://a/b")

    let data = try ImageEncoders.Default().encode(image)

    #expect(format(data) == .png)
    #expect(try ImageDecoders.Default(keepsDepth: true).decode(data, context) == image)
    #expect(try ImageDecoders.Default().decode(data, context) == image.reducedTo8Bits())
  }

  @Test("A pipeline whose decoder keeps gain maps resizes, crops and encodes HDR photographs")
  func gainMap() async throws {
    var photograph = try Pictures.gradient(64, 48)
    let metadata = GainMap.Metadata(GainMap.Channel(maximum: 3), headroom: 3)
    let bytes = (0..<768).map { UInt8($0 / 4) }
    photograph.gainMap = try GainMap(
      image: Image(bytes: bytes, width: 32, height: 24, pixelFormat: .gray8), metadata: metadata)
    let bench = Bench()
    bench.loader.answer(bench.url, with: Data(try ImageEncoder.encode(photograph, as: .jpeg())))
    let request = ImageRequest(
      url: bench.url, processors: [.resize(width: 40), .crop(size: CGSize(width: 20, height: 30))])

    let pipeline = bench.pipeline { $0.decoders = [ImageDecoders.Default(keepsGainMap: true)] }
    let image = try await pipeline.image(for: request)
    let data = try await pipeline.encodedImage(for: request).data

    #expect(image.gainMap?.metadata == metadata)
    #expect(image.gainMap?.image.size == PixelSize(width: 16, height: 24))
    let decoded = try ImageDecoder.decode(data, options: DecodingOptions(keepsGainMap: true))
    #expect(decoded.size == PixelSize(width: 20, height: 30) && decoded.gainMap?.metadata == metadata)
    // By default, a pipeline keeps none.
    let other = Bench()
    other.loader.answer(other.url, with: Data(try ImageEncoder.encode(photograph, as: .jpeg())))
    #expect(try await other.pipeline { _ in }.image(for: other.url).gainMap == nil)
  }

  @Test("An unprocessed GIF is stored unchanged, and a processed one is encoded")
  func gif() async throws {
    let image = try Pictures.gradient(2, 1)

    #expect(try ImageEncoders.Default().encode(image, decodedFrom: Camera.gif) == Camera.gif)
    #expect(try format(ImageEncoders.Default().encode(image, decodedFrom: Pictures.png(2, 1))) == .jpeg)

    // The same in a pipeline that stores encoded images.
    let bench = Bench()
    bench.loader.answer(bench.url, with: Camera.gif)
    let pipeline = bench.pipeline { $0.dataCachePolicy = .storeEncodedImages }
    _ = try await pipeline.image(for: bench.url)
    _ = try await pipeline.image(for: ImageRequest(url: bench.url, processors: [.resize(width: 1)]))
    await pipeline.flush()
    let stored: [Data] = bench.disk.entries.values.map(\.data)
    #expect(stored.count { $0 == Camera.gif } == 1)
    #expect(stored.count { format($0) == .jpeg } == 1)
  }

  @Test("An encoder stays below its byte limit or fails")
  func limit() throws {
    let image = try Pictures.gradient(60, 60)
    let whole = try ImageEncoders.Fixed(encoding: .jpeg(quality: 0.95)).encode(image).count

    let limited = try ImageEncoders.Fixed(encoding: .jpeg(quality: 0.95), maximumByteCount: whole - 100)
      .encode(image)

    #expect(limited.count <= whole - 100)
    #expect(throws: ImageCodecError.self) {
      try ImageEncoders.Fixed(encoding: .jpeg(), maximumByteCount: 10).encode(image)
    }
  }
}
