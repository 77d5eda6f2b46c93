import ImageCodecs
import Testing

@Suite("AVIF and HEIC encoding")
struct BoxesEncodingTests {
  typealias Making = @Sendable (Double) -> ImageEncoder.Encoding
  static let encodings: [(name: String, make: Making)] = {
    let all: [(name: String, make: Making)] = [
      ("AVIF", { .avif(quality: $0) }), ("HEIC", { .heic(quality: $0) }),
    ]
    return all.filter { $0.name != "HEIC" || Codecs.writesHEIC }
  }()

  @Test(
    "An encoded AVIF or HEIC decodes to a similar image",
    arguments: encodings.indices, Image.PixelFormat.allCases)
  func roundTrip(index: Int, pixelFormat: Image.PixelFormat) throws {
    let image = try Files.image("transparent.png")
    let source =
      switch pixelFormat {
      case .gray8: try Files.image("gray.jpg")
      case .rgb8: try Files.image("picture.png")
      case .rgba8: image
      case .gray16: try Files.image("gray.jpg").widened()
      case .rgb16: try Files.image("picture.png").widened()
      case .rgba16: try image.widened()
      }
    let encoding = BoxesEncodingTests.encodings[index].make(0.9)

    let file = try ImageEncoder.encode(source, as: encoding)
    let again = try ImageDecoder.decode(file)

    #expect(try ImageDecoder.info(of: file).format == encoding.format)
    #expect(again.pixelFormat.hasAlpha == pixelFormat.hasAlpha)
    #expect(try again.visibleLikeness(to: source.reducedTo8Bits()) > 30)
  }

  @Test(
    "A higher AVIF or HEIC quality makes a larger file, and an invalid one fails",
    arguments: encodings.indices)
  func quality(index: Int) throws {
    let image = try Files.image("picture.png")
    let sizes = try [0, 0.3, 0.6, 1].map {
      try ImageEncoder.encode(image, as: BoxesEncodingTests.encodings[index].make($0)).count
    }

    #expect(sizes == sizes.sorted() && Set(sizes).count == 4)
    for quality in [-0.1, 1.1, .nan] {
      let error = #expect(throws: ImageCodecError.self) {
        try ImageEncoder.encode(image, as: BoxesEncodingTests.encodings[index].make(quality))
      }
      #expect(error?.kind == "encodingFailed")
    }
  }

  @Test("AVIF and HEIC images of odd sizes down to one pixel are encoded", arguments: encodings.indices)
  func oddSizes(index: Int) throws {
    for (width, height) in [(1, 1), (3, 5), (65, 33)] {
      let image = try Samples.flat(width, height, [200, 100, 50])
      let file = try ImageEncoder.encode(image, as: BoxesEncodingTests.encodings[index].make(0.9))
      let again = try ImageDecoder.decode(file)

      #expect(again.size == image.size)
      #expect(again.likeness(to: image) > 30)
    }
  }
}

@Suite("Encoded size limit")
struct EncodingLimitTests {
  @Test(
    "A size limit is met with the best quality that fits",
    arguments: [ImageEncoder.Encoding.jpeg(quality: 0.9), .webp(quality: 0.9), .avif(quality: 0.8)])
  func met(encoding: ImageEncoder.Encoding) throws {
    let image = try Files.image("picture.png")
    let whole = try ImageEncoder.encode(image, as: encoding)
    let limit = whole.count * 2 / 3

    let file = try ImageEncoder.encode(image, as: encoding, maximumByteCount: limit)

    #expect(file.count <= limit && file.count > limit * 3 / 4)
    #expect(try ImageEncoder.encode(image, as: encoding, maximumByteCount: whole.count) == whole)
  }

  @Test(
    "Encoding fails when no quality meets the size limit", arguments: [ImageEncoder.Encoding.jpeg(), .png])
  func unmet(encoding: ImageEncoder.Encoding) throws {
    let image = try Files.image("picture.png")

    #expect(throws: ImageCodecError.encodingFailed("more than 100 bytes at any quality")) {
      try ImageEncoder.encode(image, as: encoding, maximumByteCount: 100)
    }
  }
}
