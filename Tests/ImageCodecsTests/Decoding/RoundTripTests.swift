import ImageCodecs
import Testing

@Suite("Encoding round trips")
struct RoundTripTests {
  static let sizes = [(1, 1), (2, 3), (17, 9), (64, 48), (130, 1)]

  @Test("A PNG decodes to the encoded pixels", arguments: Image.PixelFormat.allCases, sizes)
  func png(pixelFormat: Image.PixelFormat, size: (Int, Int)) throws {
    let image = try Samples.noise(size.0, size.1, pixelFormat)

    let file = try ImageEncoder.encode(image, as: .png)

    #expect(ImageFormat(sniffing: file) == .png)
    var options = DecodingOptions()
    options.keepsDepth = true
    #expect(try ImageDecoder.decode(file, options: options) == image)
    #expect(try ImageDecoder.decode(file) == image.reducedTo8Bits())
  }

  @Test("A lossless WebP decodes to the encoded pixels", arguments: [Image.PixelFormat.rgb8, .rgba8], sizes)
  func losslessWebP(pixelFormat: Image.PixelFormat, size: (Int, Int)) throws {
    let image = try Samples.noise(size.0, size.1, pixelFormat)

    let file = try ImageEncoder.encode(image, as: .losslessWebP)

    #expect(ImageFormat(sniffing: file) == .webp)
    #expect(try ImageDecoder.decode(file) == image)
  }

  @Test("A lossless WebP of a gray image decodes as RGB with the same levels")
  func grayWebP() throws {
    let gray = try Samples.noise(20, 10, .gray8)

    let image = try ImageDecoder.decode(ImageEncoder.encode(gray, as: .losslessWebP))

    #expect(image.pixelFormat == .rgb8)
    #expect(image.bytes == gray.bytes.flatMap { [$0, $0, $0] })
  }

  @Test("A lossy WebP decodes to a similar image", arguments: [Image.PixelFormat.rgb8, .rgba8])
  func webp(pixelFormat: Image.PixelFormat) throws {
    let image = try Samples.picture(96, 64, pixelFormat)

    let again = try ImageDecoder.decode(ImageEncoder.encode(image, as: .webp(quality: 0.9)))

    #expect(again.pixelFormat == pixelFormat)
    #expect(again.likeness(to: image) > 30)
  }

  @Test("A JPEG decodes to a similar image", arguments: [Image.PixelFormat.gray8, .rgb8], [false, true])
  func jpeg(pixelFormat: Image.PixelFormat, progressive: Bool) throws {
    let image = try Samples.picture(96, 64, pixelFormat)

    let file = try ImageEncoder.encode(image, as: .jpeg(quality: 0.9, progressive: progressive))
    let again = try ImageDecoder.decode(file)

    #expect(ImageFormat(sniffing: file) == .jpeg)
    #expect(try ImageDecoder.info(of: file).isProgressive == progressive)
    #expect(again.pixelFormat == pixelFormat)
    #expect(again.likeness(to: image) > 30)
  }

  @Test("A JPEG of a transparent image is flattened over white")
  func flattened() throws {
    let image = try Samples.flat(16, 16, [255, 0, 0, 51])

    let again = try ImageDecoder.decode(ImageEncoder.encode(image, as: .jpeg(quality: 1)))

    let pixel = try #require(again.pixel(x: 8, y: 8))
    #expect(again.pixelFormat == .rgb8)
    #expect(pixel.red >= 253)
    #expect(abs(Int(pixel.green) - 204) <= 2 && abs(Int(pixel.blue) - 204) <= 2)
  }

  @Test("A lower JPEG or WebP quality makes a smaller file")
  func quality() throws {
    let image = try Samples.noise(64, 64, .rgb8)
    let sizes = { (encodings: [ImageEncoder.Encoding]) in
      try encodings.map { try ImageEncoder.encode(image, as: $0).count }
    }

    let jpegs = try sizes([.jpeg(quality: 0), .jpeg(quality: 0.5), .jpeg(quality: 1)])
    let webps = try sizes([.webp(quality: 0), .webp(quality: 0.5), .webp(quality: 1)])

    #expect(jpegs == jpegs.sorted() && Set(jpegs).count == 3)
    #expect(webps == webps.sorted() && Set(webps).count == 3)
  }

  @Test(
    "A color profile is preserved in every format",
    arguments: [ImageEncoder.Encoding.jpeg(), .png, .webp(), .losslessWebP, .avif(), .heic()].writable)
  func profile(encoding: ImageEncoder.Encoding) throws {
    let profile = try #require(ICCProfile(bytes: Profiles.minimal()))

    for pixelFormat in [Image.PixelFormat.rgb8, .rgba8] {
      let image = try Samples.picture(32, 16, pixelFormat, colorSpace: .profile(profile))
      let again = try ImageDecoder.decode(ImageEncoder.encode(image, as: encoding), options: .asStored)

      #expect(again.colorSpace == .profile(profile))
      #expect(again.size == image.size)
    }
  }

  @Test("The sRGB tag is preserved in the formats that can express it")
  func sRGB() throws {
    let tagged = try Samples.picture(4, 4, .rgb8)
    let untagged = try Samples.picture(4, 4, .rgb8, colorSpace: .untagged)

    #expect(try ImageDecoder.decode(ImageEncoder.encode(tagged, as: .png)).colorSpace == .sRGB)
    #expect(try ImageDecoder.decode(ImageEncoder.encode(untagged, as: .png)).colorSpace == .untagged)
    #expect(try ImageDecoder.decode(ImageEncoder.encode(tagged, as: .losslessWebP)).colorSpace == .sRGB)
    #expect(try ImageDecoder.decode(ImageEncoder.encode(tagged, as: .jpeg())).colorSpace == .untagged)
  }

  @Test("A decoded image has the requested scale")
  func scale() throws {
    let file = try ImageEncoder.encode(Samples.picture(8, 8, .rgb8), as: .png)

    #expect(try ImageDecoder.decode(file, options: DecodingOptions(scale: 3)).scale == 3)
  }
}
