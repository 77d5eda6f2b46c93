import ImageCodecs
import Testing

@Suite("Padding and trimming")
struct ExtentTests {
  private let red = Image.Pixel(red: 200, green: 30, blue: 60)

  @Test(
    "Padding moves the image and gives the edges their color",
    arguments: [Image.PixelFormat.gray8, .rgb8, .rgba8])
  func padding(format: Image.PixelFormat) throws {
    let image = try Samples.noise(9, 7, format)

    let padded = try image.padded(top: 1, left: 2, bottom: 3, right: 4, color: red)

    #expect(padded.size == PixelSize(width: 15, height: 11))
    #expect(padded.pixelFormat == (format == .rgba8 ? .rgba8 : .rgb8))
    for y in 0..<11 {
      for x in 0..<15 {
        #expect(padded.pixel(x: x, y: y) == image.pixel(x: x - 2, y: y - 1) ?? red)
      }
    }
  }

  @Test("A transparent edge adds an alpha channel, and no edge changes nothing")
  func transparent() throws {
    let image = try Samples.noise(5, 4, .rgb16)

    let padded = try image.padded(left: 1, color: .clear)

    #expect(padded.pixelFormat == .rgba8 && padded.pixel(x: 0, y: 3) == .clear)
    #expect(padded.pixel(x: 1, y: 0) == image.pixel(x: 0, y: 0))
    #expect(try image.padded(color: .clear) == image)
  }

  @Test("Trimming removes what padding added, and nothing of the image")
  func trimming() throws {
    let image = try Samples.noise(9, 7, .rgb8)

    for (top, left, bottom, right) in [(1, 2, 3, 4), (5, 0, 0, 0), (1, 1, 0, 1), (1, 1, 1, 0), (4, 4, 4, 4)] {
      let padded = try image.padded(top: top, left: left, bottom: bottom, right: right, color: red)
      #expect(try padded.trimmed(tolerance: 0) == image, "\(top) \(left) \(bottom) \(right)")
    }
    #expect(try image.padded(top: 2, color: .clear).trimmed() == image.withOpaqueAlpha())
  }

  @Test(
    "Trimming allows for the tolerance, ignores the color of transparent pixels, and keeps an image of one color"
  )
  func tolerance() throws {
    let bytes: [UInt8] = [100, 105, 95, 100, 180, 100, 100, 110, 100]
    let image = try Image(bytes: bytes, width: 3, height: 3, pixelFormat: .gray8)
    let clear = try Image(
      bytes: [1, 2, 3, 0, 9, 9, 9, 0, 5, 5, 5, 255], width: 3, height: 1, pixelFormat: .rgba8)

    #expect(try image.trimmed(tolerance: 0.04).bytes == [180])
    #expect(try image.trimmed(tolerance: 0.02).size == PixelSize(width: 1, height: 2))
    #expect(try image.trimmed(tolerance: 1) == image)
    #expect(try clear.trimmed(tolerance: 0).size == PixelSize(width: 1, height: 1))
    let wide = try Samples.noise(6, 5, .gray16).padded(left: 3, color: .white)
    #expect(try wide.trimmed().width == 6)
  }

  @Test("A background shows where an image is transparent, by its alpha")
  func background() throws {
    let image = try Samples.noise(8, 8, .rgba8)

    let flat = try image.flattened(over: red)

    #expect(flat.pixelFormat == .rgb8)
    for (pixel, start) in zip(stride(from: 0, to: 256, by: 4), stride(from: 0, to: 192, by: 3)) {
      let alpha = Double(image.bytes[pixel + 3]) / 255
      for (channel, color) in [red.red, red.green, red.blue].enumerated() {
        let expected = Double(image.bytes[pixel + channel]) * alpha + Double(color) * (1 - alpha)
        #expect(abs(Double(flat.bytes[start + channel]) - expected) <= 1)
      }
    }
    let opaque = try Samples.noise(3, 3, .rgb8)
    #expect(try opaque.flattened(over: red) == opaque)
    #expect(try image.flattened(over: .clear).pixelFormat == .rgba8)
  }

  @Test("Invalid edges and tolerances throw typed errors, and a result beyond the limits does")
  func nonsense() throws {
    let image = try Samples.flat(2, 2, [1, 2, 3])
    let attempts: [() throws -> Image] = [
      { try image.padded(top: -1, color: .clear) }, { try image.padded(right: .max, color: .clear) },
      { try image.padded(top: 1 << 20, left: 1 << 20, color: .clear) },
      { try image.trimmed(tolerance: -0.1) },
      { try image.trimmed(tolerance: .nan) }, { try image.trimmed(tolerance: 1.1) },
    ]

    let kinds = attempts.map { attempt in (#expect(throws: ImageCodecError.self) { try attempt() })?.kind }

    #expect(
      kinds == [
        "invalidSize", "invalidSize", "tooLarge", "invalidSetting", "invalidSetting", "invalidSetting",
      ])
  }
}

extension Image {
  fileprivate func withOpaqueAlpha() throws -> Image {
    let pixels = stride(from: 0, to: bytes.count, by: 3).flatMap { bytes[$0..<$0 + 3] + [255] }
    return try Image(bytes: pixels, width: width, height: height, pixelFormat: .rgba8)
  }
}
