import ImageCodecs
import Testing

@Suite("`Image.blurred`")
struct BlurTests {
  @Test("A blurred edge follows the Gaussian curve", arguments: [0.8, 2, 3.5, 6])
  func point(radius: Double) throws {
    var bytes = [UInt8](repeating: 0, count: 61 * 61)
    bytes[30 * 61 + 30] = 255
    let image = try Image(bytes: bytes, width: 61, height: 61, pixelFormat: .gray8)
    let wide = try image.resized(to: ResizeTarget(width: 61, height: 61))

    // A bar instead of a point in one direction, so that eight bits suffice for the curve.
    let bar = try Image(
      bytes: (0..<61 * 61).map { abs($0 % 61 - 30) <= 10 ? 255 : 0 }, width: 61, height: 61,
      pixelFormat: .gray8)
    let blurred = try bar.blurred(radius: radius)

    #expect(wide == image)
    for x in 0..<61 {
      let expected =
        255
        * (Gauss.share(below: (Double(x) - 19.5) / radius) - Gauss.share(below: (Double(x) - 40.5) / radius))
      let found = try #require(blurred.pixel(x: x, y: 30)).red
      #expect(abs(Double(found) - expected) < 4.5, "\(x)")
    }
  }

  @Test("Blurring keeps an image of one color unchanged up to its edges", arguments: Image.Light.allCases)
  func flat(light: Image.Light) throws {
    for color: [UInt8] in [[77], [10, 130, 250], [10, 130, 250, 255], [10, 130, 250, 40]] {
      let image = try Samples.flat(23, 9, color)

      #expect(try image.blurred(radius: 7, in: light) == image)
    }
  }

  @Test("A blur radius of zero or less changes nothing, and an invalid one throws")
  func radii() throws {
    let image = try Samples.picture(8, 8, .rgb8)

    #expect(try image.blurred(radius: 0) == image)
    #expect(try image.blurred(radius: -3) == image)
    for radius in [Double.nan, .infinity, -.infinity, 1_001] {
      #expect(throws: ImageCodecError.invalidSetting("a blur radius of \(radius)")) {
        try image.blurred(radius: radius)
      }
    }
  }

  @Test("An image smaller than the blur radius can be blurred")
  func tiny() throws {
    let image = try Samples.noise(2, 3, .rgba8)

    let blurred = try image.blurred(radius: 1_000)

    #expect(blurred.size == image.size)
    #expect(Set((0..<2).compactMap { blurred.pixel(x: $0, y: 1)?.alpha }).count == 1)
  }

  @Test("Blurring stops when cancelled and when it exceeds the memory limit")
  func interruption() throws {
    let image = try Samples.picture(64, 64, .rgb8)
    var limits = DecodingLimits()
    limits.maximumWorkingBytes = 1_000

    #expect(throws: ImageCodecError.cancelled) { try image.blurred(radius: 2, isCancelled: { true }) }
    #expect(throws: ImageCodecError.limitExceeded(.workingBytes(1_000))) {
      try image.blurred(radius: 2, limits: limits)
    }
  }

  @Test(
    "A blur that is narrower than the numbers of the filter can express changes nothing",
    arguments: [1e-3, 1e-22, 1e-23, 1e-30, 1e-50, .leastNonzeroMagnitude], [Image.Light.encoded, .linear])
  func narrowest(radius: Double, light: Image.Light) throws {
    for format in [Image.PixelFormat.gray8, .rgb8] {
      let image = try Samples.picture(20, 9, format)

      #expect(try image.blurred(radius: radius, in: light) == image, "\(format)")
    }
    let image = try Samples.picture(20, 9, .rgb8)
    #expect(try image.sharpened(radius: radius, amount: 2) == image)
  }
}

private enum Gauss {
  /// The area under the curve left of `x`: a sum fine enough for eight bits.
  static func share(below x: Double) -> Double {
    let step = 0.01
    return stride(from: -6, to: min(max(x, -6), 6), by: step).reduce(0) { sum, place in
      sum + step * density(place + step / 2)
    }
  }

  private static func density(_ x: Double) -> Double {
    // (1 - x²/2n)ⁿ, squared over and over; n = 2²⁰.
    var value = 1 - x * x / 2 / 1_048_576
    for _ in 0..<20 { value *= value }
    return value / 2.506_628_274_631
  }
}
