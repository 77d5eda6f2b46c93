import ImageCodecs
import Testing

@Suite("`Image.resized`")
struct ResizedTests {
  @Test(
    "Resizing keeps an image of one color unchanged in color",
    arguments: [[77], [10, 130, 250], [10, 130, 250, 90]] as [[UInt8]])
  func flat(color: [UInt8]) throws {
    for (width, height) in [(1, 1), (1, 9), (64, 48), (200, 3), (97, 101)] {
      for side in [1.0, 2, 5, 33, 100, 257] {
        let target = ResizeTarget(width: side, height: side, mode: .fit, upscales: true)
        let image = try Samples.flat(width, height, color).resized(to: target)

        #expect(
          try image == Samples.flat(image.width, image.height, color), "\(width) × \(height) to \(side)")
      }
    }
  }

  @Test(
    "Resizing crops 8-bit and 16-bit images at the same place", arguments: [5.0, 10, 20, 40])
  func middle(side: Double) throws {
    var random = SeededRandom(seed: 1)
    for left in 0..<40 {
      let bytes = (0..<(10 + 2 * left) * 10).map { _ in random.byte() }
      let narrow = try Image(bytes: bytes, width: 10 + 2 * left, height: 10, pixelFormat: .gray8)
      let wide = try Image(
        bytes: bytes.flatMap { [$0, $0] }, width: 10 + 2 * left, height: 10, pixelFormat: .gray16)
      let target = ResizeTarget(width: side, height: side, crops: true, upscales: true)

      let found = try narrow.resized(to: target)
      let wanted = try wide.resized(to: target)

      let wrong = found.bytes.indices.filter { abs(Int(found.bytes[$0]) - Int(wanted.bytes[2 * $0 + 1])) > 2 }
      #expect(wrong.isEmpty, "\(left) columns before it")
    }
  }

  @Test("Resizing ignores the color of transparent pixels")
  func transparency() throws {
    // Red with holes of fully transparent green.
    let bytes = (0..<64 * 64).flatMap { index -> [UInt8] in
      (index % 64 / 8 + index / 512).isMultiple(of: 2) ? [255, 0, 0, 255] : [0, 255, 0, 0]
    }
    let image = try Image(bytes: bytes, width: 64, height: 64, pixelFormat: .rgba8)

    let small = try image.resized(to: .fitting(20))

    for pixel in try (0..<400).map({ try #require(small.pixel(x: $0 % 20, y: $0 / 20)) })
    where pixel.alpha > 8 {
      #expect(pixel.green < 24 && pixel.red > 230, "\(pixel)")
    }
    #expect(try (0..<400).contains { try #require(small.pixel(x: $0 % 20, y: $0 / 20)).alpha < 240 })
  }

  @Test("Resizing keeps color space, scale and pixel format")
  func labels() throws {
    var image = try Samples.picture(20, 20, .gray8, colorSpace: .untagged)
    image.scale = 2

    let small = try image.resized(to: .fitting(10))

    #expect(small.colorSpace == .untagged && small.scale == 2 && small.pixelFormat == .gray8)
  }

  @Test("Resizing to the same size returns the image without a copy")
  func unchanged() throws {
    let image = try Samples.picture(20, 10, .rgb8)

    let same = try image.resized(to: .fitting(20))

    #expect(same == image)
    #expect(same.withUnsafeBytes { $0.baseAddress } == image.withUnsafeBytes { $0.baseAddress })
  }

  @Test("Resizing above the pixel limit throws `tooLarge`")
  func limits() throws {
    let image = try Samples.picture(4, 4, .rgb8)

    #expect(throws: ImageCodecError.tooLarge(width: 60_000, height: 60_000, limit: .pixels(50_000_000))) {
      try image.resized(to: ResizeTarget(width: 60_000, height: 60_000, upscales: true))
    }
  }

  @Test(
    "Resizing averages light when linear light is requested",
    arguments: [Image.PixelFormat.gray8, .rgb8, .rgba8])
  func light(pixelFormat: Image.PixelFormat) throws {
    let channels = pixelFormat.bytesPerPixel
    let stripes = (0..<64 * 64).flatMap { index -> [UInt8] in
      let level: UInt8 = index.isMultiple(of: 2) ? 255 : 0
      return (0..<channels).map { $0 == 3 ? 128 : level }
    }
    let image = try Image(bytes: stripes, width: 64, height: 64, pixelFormat: pixelFormat)
    let flat = try Samples.flat(64, 64, (0..<channels).map { UInt8($0 * 60 + 20) })

    let encoded = try image.resized(to: ResizeTarget(width: 16, height: 16))
    let linear = try image.resized(to: ResizeTarget(width: 16, height: 16, light: .linear))
    let small = try flat.resized(to: ResizeTarget(width: 10, height: 10, light: .linear))

    #expect(abs(Int(encoded.bytes[8 * channels]) - 128) <= 2)
    #expect(abs(Int(linear.bytes[8 * channels]) - 188) <= 2)
    #expect(channels < 4 || linear.bytes[3] == 128)
    #expect(Set(small.bytes) == Set(flat.bytes))
  }
}
