import ImageCodecs
import Testing

@Suite("16-bit decoding")
struct DepthTests {
  private static let deep: DecodingOptions = {
    var options = DecodingOptions()
    options.keepsDepth = true
    return options
  }()

  @Test("A 16-bit PNG keeps its exact samples when `keepsDepth` is set")
  func png() throws {
    let rows: [[Int]] = [[0x0000, 0x0102, 0x7FFF], [0x8000, 0xFFFE, 0xFFFF]]
    let file = PNGFile.file(
      3, 2, bitDepth: 16, color: 0, rows: rows.map { $0.flatMap { big($0, count: 2) } })

    let image = try ImageDecoder.decode(file, options: DepthTests.deep)

    #expect(image.pixelFormat == .gray16 && image.samples.map(Int.init) == rows.flatMap { $0 })
    #expect(try ImageDecoder.decode(file).bytes == [0, 1, 127, 128, 255, 255])
    #expect(image.pixel(x: 1, y: 1) == Image.Pixel(red: 255, green: 255, blue: 255))
  }

  @Test("A 16-bit PNG and TIFF of the same image have equal samples")
  func tiff() throws {
    let image = try Files.image("deep.png", DepthTests.deep)

    #expect(image.pixelFormat == .rgb16 && image.samples.contains { $0 % 257 != 0 })
    #expect(try Files.image("deep.tiff", DepthTests.deep).samples == image.samples)
    #expect(try image.reducedTo8Bits().bytes == Files.image("deep.png").bytes)
    #expect(try Files.image("deep.tiff").bytes == image.reducedTo8Bits().bytes)
  }

  @Test("A ten-bit AVIF or HEIC decodes to 16-bit samples", arguments: ["deep.avif", "deep.heic"])
  func tenBits(name: String) throws {
    let image = try Files.image(name, DepthTests.deep)

    #expect(try ImageDecoder.info(of: Files.bytes(name)).bitsPerComponent == 10)
    #expect(image.pixelFormat == .rgb16)
    // Ten bits tell more shades apart than eight.
    #expect(Set(image.samples).count > 256)
    let narrow = try Files.image(name)
    #expect(narrow.pixelFormat == .rgb8)
    #expect(try image.reducedTo8Bits().likeness(to: narrow) > 48)
    #expect(try narrow.likeness(to: Files.image("deep.png")) > 30)
  }

  @Test(
    "A ten-bit AVIF or HEIC has ten bits without its bit depth property",
    arguments: ["deep.avif", "deep.heic"])
  func withoutProperty(name: String) throws {
    var bytes = try Files.bytes(name)
    for position in bytes.positions(of: Array("pixi".utf8)) {
      bytes.replaceSubrange(position..<position + 4, with: Array("free".utf8))
    }

    #expect(try ImageDecoder.info(of: bytes).bitsPerComponent == 10)
    #expect(try ImageDecoder.decode(bytes, options: DepthTests.deep) == Files.image(name, DepthTests.deep))
  }

  @Test(
    "An 8-bit image stays at 8 bits when `keepsDepth` is set",
    arguments: ["picture.png", "picture.avif", "plain.tiff", "baseline.jpg"])
  func eight(name: String) throws {
    #expect(try Files.image(name, DepthTests.deep) == Files.image(name))
  }

  @Test("A 16-bit image takes twice the memory, which counts against the limits")
  func memory() throws {
    let file = try Files.bytes("deep.png")
    var options = DepthTests.deep
    options.limits.maximumDecodedBytes = 96 * 72 * 6 - 1

    #expect(try ImageDecoder.byteCost(of: file, options: options) == 2 * ImageDecoder.byteCost(of: file))
    #expect(throws: ImageCodecError.tooLarge(width: 96, height: 72, limit: .bytes(96 * 72 * 6 - 1))) {
      try ImageDecoder.decode(file, options: options)
    }
    options.keepsDepth = false
    #expect(try ImageDecoder.decode(file, options: options).byteCount == 96 * 72 * 3)
  }

  @Test("Resizing, cropping, quarter turns and conversion to sRGB keep 16 bits")
  func kept() throws {
    let image = try Files.image("deep.png", DepthTests.deep)
    let narrow = try image.reducedTo8Bits()
    var options = DepthTests.deep
    options.target = ResizeTarget(width: 40, height: 40, crops: true)

    let small = try Files.image("deep.png", options)
    #expect(small.pixelFormat == .rgb16 && small.size == PixelSize(width: 40, height: 40))
    #expect(Set(small.samples).count > 256)
    let narrowSmall = try narrow.resized(to: ResizeTarget(width: 40, height: 40, crops: true))
    #expect(try small.reducedTo8Bits().likeness(to: narrowSmall) > 50)
    let part = { (image: Image) in try image.cropped(x: 5, y: 6, width: 7, height: 8) }
    #expect(try part(image).reducedTo8Bits() == part(narrow) && part(image).pixelFormat == .rgb16)
    #expect(try image.turned(degrees: 90).reducedTo8Bits() == narrow.turned(degrees: 90))

    var wide = image
    wide.colorSpace = .profile(try #require(ICCProfile.displayP3))
    var labelled = narrow
    labelled.colorSpace = wide.colorSpace
    let converted = try wide.convertedToSRGB()
    #expect(converted.pixelFormat == .rgb16 && converted.colorSpace == .sRGB)
    #expect(try converted.reducedTo8Bits().likeness(to: labelled.convertedToSRGB()) > 48)
  }

  @Test("All other filters and linear resizing reduce 16 bits to 8")
  func reduced() throws {
    let image = try Files.image("deep.png", DepthTests.deep)
    let narrow = try image.reducedTo8Bits()
    let filters: [(Image) throws -> Image] = [
      { try $0.blurred(radius: 2) }, { try $0.sharpened(radius: 1, amount: 1) },
      { try $0.recolored(by: .sepia()) }, { try $0.recolored(by: .contrast(1.5)) },
      { try $0.recolored(gamma: 2) }, { try $0.vignetted(start: 0.2, amount: 0.5) },
      { try $0.turned(degrees: 30) }, { try $0.blended(with: $0, mode: .multiply) },
      { try $0.blended(with: Image.Pixel(red: 1, green: 2, blue: 3)) }, { try $0.rounded(radius: 9) },
      { try $0.resized(to: ResizeTarget(width: 20, height: nil, light: .linear)) },
      { try Image.collage(images: [$0, $0], size: PixelSize(width: 30, height: 20)) },
    ]

    for (index, filter) in filters.enumerated() {
      let result = try filter(image)
      #expect(result.pixelFormat.bitsPerChannel == 8, "\(index)")
      // A tile of a collage is resized first.
      #expect(try result.likeness(to: filter(narrow)) > (index == 11 ? 50 : 98), "\(index)")
    }
  }

  @Test("PNG stores 16 bits, and the other encoders reduce to 8 or fail")
  func encoders() throws {
    let image = try Files.image("deep.png", DepthTests.deep)
    let narrow = try image.reducedTo8Bits()

    #expect(try ImageDecoder.info(of: ImageEncoder.encode(image, as: .png)).bitsPerComponent == 16)
    for encoding in [ImageEncoder.Encoding.jpeg(), .webp(), .losslessWebP, .avif()] {
      #expect(try ImageEncoder.encode(image, as: encoding) == ImageEncoder.encode(narrow, as: encoding))
    }
    let error = #expect(throws: ImageCodecError.self) {
      try JPEGWriter(width: 1, height: 1, pixelFormat: .rgb16).write { _, _ in
      } output: { _ in
      }
    }
    #expect(error?.kind == "encodingFailed")
  }
}
