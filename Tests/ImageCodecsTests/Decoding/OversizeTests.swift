import ImageCodecs
import Testing

@Suite("Oversized images")
struct OversizeTests {
  private func options(_ pixels: Int, _ oversize: DecodingLimits.Oversize = .downscale) -> DecodingOptions {
    var options = DecodingOptions()
    options.limits.maximumPixels = pixels
    options.limits.oversize = oversize
    return options
  }

  @Test(
    "An oversized JPEG decodes at the largest eighth of its size that fits",
    arguments: [(6_912, 96, 72), (6_911, 84, 63), (5_292, 84, 63), (5_291, 72, 54), (108, 12, 9)])
  func jpeg(pixels: Int, width: Int, height: Int) throws {
    for name in ["baseline.jpg", "progressive.jpg"] {
      let image = try Files.image(name, options(pixels))

      #expect(image.size == PixelSize(width: width, height: height), "\(name)")
      let expected = try Files.image(name).resized(
        to: ResizeTarget(width: Double(width), height: Double(height)))
      #expect(try image.visibleLikeness(to: expected) > 25)
    }
  }

  @Test("An oversized JPEG is reduced by its stored size, regardless of its orientation")
  func orientation() throws {
    #expect(try Files.image("orientation-6.jpg", options(5_300)).size == PixelSize(width: 84, height: 63))
  }

  @Test("An oversized WebP without transparency is reduced by libwebp")
  func webp() throws {
    let image = try Files.image("lossy.webp", options(2_000))

    #expect(image.width < 96 && image.size.width * image.size.height <= 2_000)
    #expect(throws: ImageCodecError.self) { try Files.image("transparent.webp", options(2_000)) }
  }

  @Test("An oversized image is refused if reduction is off, unsupported or insufficient")
  func refusal() throws {
    for (name, options) in [
      ("baseline.jpg", options(6_911, .fail)), ("picture.png", options(6_911)),
      ("baseline.jpg", options(107)),
    ] {
      let error = #expect(throws: ImageCodecError.self) { try Files.image(name, options) }
      #expect(error?.kind == "tooLarge", "\(name)")
    }
  }

  @Test("The estimated cost of an oversized JPEG is that of its reduced size")
  func cost() throws {
    let file = try Files.bytes("baseline.jpg")
    let whole = try ImageDecoder.byteCost(of: file)

    #expect(try ImageDecoder.byteCost(of: file, options: options(500)) < whole / 4)
    #expect(try ImageDecoder.byteCost(of: file, options: options(500, .fail)) == whole)
  }
}
