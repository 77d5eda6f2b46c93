import ImageCodecs
import Testing

@Suite("Recoloring")
struct RecoloringTests {
  private func recolored(_ color: [UInt8], _ matrix: ColorMatrix, in light: Image.Light = .encoded) throws
    -> [UInt8]
  {
    try Samples.flat(1, 1, color).recolored(by: matrix, in: light).bytes
  }

  @Test("Brightness, contrast and saturation change colors as expected")
  func controls() throws {
    #expect(try recolored([100, 0, 250], .brightness(0.1)) == [126, 26, 255])
    #expect(try recolored([100, 128, 250], .contrast(2)) == [73, 129, 255])
    #expect(try recolored([255, 0, 0], .saturation(0)) == [54, 54, 54])
    #expect(try recolored([200, 100, 50], .saturation(1)) == [200, 100, 50])
    #expect(try recolored([200, 100, 50], .contrast(0)) == [128, 128, 128])
  }

  @Test("Inverting an image twice gives the original")
  func inversion() throws {
    let image = try Samples.noise(9, 7, .rgba8)

    let negative = try image.recolored(by: .inversion)

    #expect(try recolored([0, 100, 255], .inversion) == [255, 155, 0])
    #expect(try negative.recolored(by: .inversion) == image)
  }

  @Test("Sepia and monochrome tint the colors")
  func tones() throws {
    #expect(try recolored([100, 100, 100], .sepia()) == [135, 120, 94])
    #expect(try recolored([10, 20, 30], .sepia(0)) == [10, 20, 30])
    #expect(
      try recolored([255, 255, 255], .monochrome(Image.Pixel(red: 10, green: 20, blue: 30)))
        == [10, 20, 30])
    #expect(
      try recolored([0, 255, 0], .monochrome(Image.Pixel(red: 255, green: 255, blue: 255)))
        == [182, 182, 182])
  }

  @Test("A gain in linear light doubles the light, not the encoded values")
  func gain() throws {
    #expect(try recolored([100, 180, 0], .gain(2), in: .linear) == [138, 245, 0])
    #expect(try recolored([100, 180, 0], .gain(1), in: .linear) == [100, 180, 0])
    #expect(try recolored([100, 180, 0], .gain(2)) == [200, 255, 0])
  }

  @Test("Recoloring keeps alpha, and keeps gray if the matrix does")
  func formats() throws {
    let transparent = try Samples.noise(5, 5, .rgba8)
    let gray = try Samples.noise(5, 5, .gray8)

    let changed = try transparent.recolored(by: .sepia())

    #expect(
      transparent.bytes.indices.allSatisfy { $0 % 4 != 3 || changed.bytes[$0] == transparent.bytes[$0] })
    #expect(try gray.recolored(by: .contrast(1.5)).pixelFormat == .gray8)
    #expect(try gray.recolored(by: .sepia()).pixelFormat == .rgb8)
    #expect(try gray.recolored(by: .saturation(0.3)) == gray)
  }

  @Test("A gamma curve changes the colors and keeps alpha")
  func gamma() throws {
    let image = try Samples.flat(1, 1, [0, 64, 255, 9])

    #expect(try image.recolored(gamma: 0.5).bytes == [0, 128, 255, 9])
    #expect(try image.recolored(gamma: 1) == image)
  }

  @Test("A vignette darkens the corners and leaves the center unchanged")
  func vignette() throws {
    let image = try Samples.flat(41, 21, [200, 100, 50]).vignetted(start: 0.3, amount: 1)

    #expect(image.pixel(x: 20, y: 10) == Image.Pixel(red: 200, green: 100, blue: 50))
    let corner = try #require(image.pixel(x: 0, y: 0))
    let half = try #require(image.pixel(x: 6, y: 3))
    #expect(corner.red < 10 && half.red > corner.red && half.red < 200)
    #expect(image.pixel(x: 40, y: 20) == corner)
  }

  @Test("Black stays black with any gamma", arguments: [1e-3, 1e-40, 1e-46, 1e-300, .leastNonzeroMagnitude])
  func smallestGamma(_ gamma: Double) throws {
    let image = try Image(bytes: [0, 255], width: 2, height: 1, pixelFormat: .gray8)

    #expect(try image.recolored(gamma: gamma).bytes == [0, 255])
  }

  @Test("Invalid recoloring settings throw `invalidSetting`")
  func nonsense() throws {
    let image = try Samples.flat(1, 1, [1, 2, 3])
    let attempts: [() throws -> Image] = [
      { try image.recolored(by: .gain(.nan)) }, { try image.recolored(by: .brightness(.infinity)) },
      { try image.recolored(gamma: 0) }, { try image.recolored(gamma: .nan) },
      { try image.vignetted(start: -1, amount: 1) }, { try image.vignetted(start: 0, amount: .nan) },
      { try image.sharpened(radius: 1, amount: -1) },
    ]

    for attempt in attempts {
      let error = #expect(throws: ImageCodecError.self) { try attempt() }
      #expect(error?.kind == "invalidSetting")
    }
  }
}
