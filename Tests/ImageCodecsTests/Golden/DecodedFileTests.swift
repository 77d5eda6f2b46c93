import ImageCodecs
import Testing

@Suite("Files from other programs")
struct DecodedFileTests {
  @Test(
    "A file decodes like in the program that wrote it",
    arguments: [
      ("baseline.jpg", "expected-baseline.png", 50), ("progressive.jpg", "expected-progressive.png", 50),
      ("gray.jpg", "expected-gray.png", 50), ("gray.avif", "expected-gray.png", 30),
      ("interlaced.png", "picture.png", 99),
      ("lossy.webp", "expected-lossy.png", 50), ("lossless.webp", "picture.png", 99),
      ("transparent.webp", "expected-transparent-webp.png", 50), ("still.gif", "expected-still-gif.png", 99),
      ("interlaced.gif", "expected-still-gif.png", 99), ("picture.avif", "expected-avif.png", 45),
      ("transparent.avif", "expected-avif-transparent.png", 45), ("picture.heic", "expected-heic.png", 45),
      ("transparent.heic", "expected-heic-transparent.png", 45), ("picture.jxl", "expected-jxl.png", 50),
      ("transparent.jxl", "expected-jxl-transparent.png", 50), ("lossless.jxl", "picture.png", 99),
      ("gray.jxl", "expected-gray.png", 35), ("deep.jxl", "deep.png", 45),
      ("transcoded.jxl", "expected-baseline.png", 40), ("cmyk.jpg", "expected-cmyk.png", 35),
      ("plain.bmp", "picture.png", 99), ("runs.bmp", "palette.bmp", 99),
      ("transparent.bmp", "transparent.png", 99),
      ("masked.ico", "expected-masked-ico.png", 99), ("plain.tiff", "picture.png", 99),
      ("transparent.tiff", "transparent.png", 99), ("multiplied.tiff", "transparent.png", 40),
      ("tiled.tiff", "picture.png", 99), ("planes.tiff", "picture.png", 99), ("deep.tiff", "deep.png", 60),
      ("gray.tiff", "expected-gray.png", 50), ("fax.tiff", "expected-fax.png", 99),
    ] as [(String, String, Double)])
  func likeness(file: String, expected: String, decibels: Double) throws {
    let image = try Files.image(file)

    #expect(try image.visibleLikeness(to: Files.image(expected)) >= decibels)
  }

  @Test(
    "A file decodes to the original image within the precision of its format",
    arguments: [
      ("baseline.jpg", 30), ("progressive.jpg", 30), ("cmyk.jpg", 22), ("cmyk-plain.jpg", 12),
      ("deep.png", 45), ("palette.png", 28), ("animated.png", 99), ("lossy.webp", 28), ("animated.webp", 28),
      ("still.gif", 30), ("picture.avif", 30), ("deep.avif", 30), ("picture.heic", 30),
      ("picture.jxl", 30), ("transcoded.jxl", 30), ("animated.jxl", 99), ("palette.bmp", 28),
      ("small.bmp", 30), ("palette.tiff", 28), ("jpeg.tiff", 30),
    ] as [(String, Double)])
  func picture(file: String, decibels: Double) throws {
    let image = try Files.image(file)

    #expect(image.size == PixelSize(width: 96, height: 72))
    #expect(try image.visibleLikeness(to: Files.image("picture.png")) >= decibels)
  }

  @Test(
    "The header reports format, size, alpha and bit depth",
    arguments: [
      ("baseline.jpg", ImageFormat.jpeg, false, 8), ("deep.png", .png, false, 16),
      ("palette.png", .png, false, 8),
      ("lossy.webp", .webp, false, 8), ("transparent.webp", .webp, true, 8), ("still.gif", .gif, false, 8),
      ("transparent.gif", .gif, true, 8), ("picture.avif", .avif, false, 8),
      ("transparent.avif", .avif, true, 8), ("deep.avif", .avif, false, 10),
      ("picture.heic", .heic, false, 8),
      ("transparent.heic", .heic, true, 8), ("picture.jxl", .jpegXL, false, 8),
      ("transparent.jxl", .jpegXL, true, 8), ("deep.jxl", .jpegXL, false, 16),
      ("gray.jxl", .jpegXL, false, 8), ("transcoded.jxl", .jpegXL, false, 8), ("plain.bmp", .bmp, false, 8),
      ("transparent.bmp", .bmp, true, 8),
      ("plain.tiff", .tiff, false, 8), ("transparent.tiff", .tiff, true, 8), ("deep.tiff", .tiff, false, 16),
    ] as [(String, ImageFormat, Bool, Int)])
  func header(file: String, format: ImageFormat, hasAlpha: Bool, bits: Int) throws {
    let info = try ImageDecoder.info(of: Files.bytes(file))

    #expect(info.format == format && info.storedSize == PixelSize(width: 96, height: 72))
    #expect(info.hasAlpha == hasAlpha)
    #expect(info.bitsPerComponent == bits)
    #expect(try Files.image(file).pixelFormat.hasAlpha == hasAlpha)
  }

  @Test("A file with any EXIF orientation decodes upright", arguments: 1...8, ["jpg", "avif"])
  func orientation(number: Int, format: String) throws {
    let name = number == 1 && format == "avif" ? "picture.avif" : "orientation-\(number).\(format)"

    let info = try ImageDecoder.info(of: Files.bytes(name))
    let image = try Files.image(name)

    #expect(info.orientation.rawValue == number)
    #expect(info.size == PixelSize(width: 96, height: 72) && image.size == info.size)
    #expect(image.likeness(to: try Files.image("picture.png")) > 29)
  }

  @Test("A JPEG XL that was made of a turned JPEG decodes upright", arguments: [5, 6, 8])
  func orientationOfJPEGXL(number: Int) throws {
    let name = "orientation-\(number).jxl"

    #expect(try ImageDecoder.info(of: Files.bytes(name)).orientation.rawValue == number)
    #expect(try Files.image(name).likeness(to: Files.image("picture.png")) > 29)
  }

  @Test("A big-endian TIFF with an orientation decodes upright")
  func bigEndian() throws {
    let image = try Files.image("big-endian.tiff")

    #expect(try ImageDecoder.info(of: Files.bytes("big-endian.tiff")).orientation == .right)
    #expect(try image == Files.image("plain.tiff").oriented(.right))
  }

  @Test("A PNG within an icon is converted to sRGB")
  func iconProfile() throws {
    let picture = try Files.bytes("wide.png")
    let entry = [96, 72, 0, 0] + little(1, count: 2) + little(24, count: 2) + little(picture.count, count: 4)
    let file = [0, 0, 1, 0] + little(1, count: 2) + entry + little(22, count: 4) + picture

    #expect(try ImageDecoder.decode(file) == Files.image("wide.png"))
  }

  @Test(
    "An icon with several sizes decodes its largest image", arguments: [("png.ico", 48), ("bitmap.ico", 32)])
  func icons(file: String, side: Int) throws {
    let whole = try Files.image("transparent.png")
    let cut =
      try side == 48
      ? whole.cropped(x: 0, y: 0, width: 72, height: 72)
      : whole
        .cropped(x: 0, y: 0, width: 32, height: 32)

    let image = try Files.image(file)

    #expect(image.size == PixelSize(width: side, height: side) && image.pixelFormat == .rgba8)
    #expect(try image.visibleLikeness(to: cut.resized(to: .fitting(Double(side)))) >= 35)
  }

  @Test(
    "A file with a wide-gamut profile is converted to sRGB",
    arguments: ["png", "jpg", "webp", "avif", "heic", "tiff", "bmp", "jxl"])
  func profiles(format: String) throws {
    var asStored = DecodingOptions()
    asStored.colors = .asStored

    let image = try Files.image("wide.\(format)")
    let stored = try Files.image("wide.\(format)", asStored)

    let decibels: Double = ["png": 48, "webp": 48, "tiff": 48, "bmp": 48, "jxl": 48][format] ?? 30
    #expect(image.colorSpace == .sRGB)
    #expect(image.likeness(to: try Files.image("expected-srgb.png")) > decibels)
    #expect(stored.colorSpace.profile != nil)
    #expect(stored.likeness(to: try Files.image("picture.png")) > decibels)
    #expect(try stored.convertedToSRGB().likeness(to: image) > 45)
  }

  @Test(
    "Decoding at a small size looks like resizing the full image",
    arguments: [
      "baseline.jpg", "progressive.jpg", "picture.png", "lossy.webp", "still.gif", "picture.avif",
      "picture.heic", "transparent.webp", "transparent.avif", "picture.jxl",
    ])
  func scaled(file: String) throws {
    var options = DecodingOptions()
    options.target = .fitting(24)

    let small = try Files.image(file, options)

    #expect(small.size == PixelSize(width: 24, height: 18))
    #expect(try small.visibleLikeness(to: Files.image(file).resized(to: .fitting(24))) > 34)
  }

  static let all = [
    "baseline.jpg", "progressive.jpg", "gray.jpg", "cmyk.jpg", "picture.png", "interlaced.png", "palette.png",
    "deep.png", "animated.png", "lossy.webp", "lossless.webp", "transparent.webp", "animated.webp",
    "still.gif", "interlaced.gif", "transparent.gif", "disposed.gif", "picture.avif", "transparent.avif",
    "deep.avif", "picture.heic", "transparent.heic", "picture.jxl", "transparent.jxl", "deep.jxl",
    "gray.jxl", "transcoded.jxl",
  ]

  @Test("A file that is cut anywhere throws `truncated` when incomplete files are refused", arguments: all)
  func truncation(file: String) throws {
    let bytes = try Files.bytes(file)
    var options = DecodingOptions()
    options.limits.incomplete = .refuse

    for sixteenth in 1..<16 {
      #expect(throws: ImageCodecError.truncated, "\(sixteenth)/16") {
        try ImageDecoder.decode(
          Array(bytes.prefix(max(bytes.count * sixteenth / 16, 64))), options: options)
      }
    }
    #expect(throws: ImageCodecError.truncated) {
      try ImageDecoder.decode(Array(bytes.dropLast()), options: options)
    }
  }

  @Test("A file above the size limits throws `tooLarge`", arguments: all)
  func limits(file: String) throws {
    let bytes = try Files.bytes(file)
    var pixels = DecodingOptions()
    pixels.limits.maximumPixels = 500
    var side = DecodingOptions()
    side.limits.maximumSide = 39

    let tooMany = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(bytes, options: pixels) }
    let tooLong = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(bytes, options: side) }

    #expect(tooMany?.kind == "tooLarge" && tooLong?.kind == "tooLarge")
  }

  @Test("Decoding a file throws `cancelled` when it is cancelled", arguments: all)
  func cancellation(file: String) throws {
    let bytes = try Files.bytes(file)

    #expect(throws: ImageCodecError.cancelled) { try ImageDecoder.decode(bytes, isCancelled: { true }) }
  }
}
