import ImageCodecs
import Testing

@Suite("Crops that look")
struct AttentionTests {
  /// A gray image with a patch of a color, or of stripes.
  private func picture(_ width: Int, _ height: Int, patchX: Int, patchY: Int, color: [UInt8]?) throws -> Image
  {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let isPatch = (patchX..<patchX + 40).contains(x) && (patchY..<patchY + 40).contains(y)
        let stripe: UInt8 = x / 4 % 2 == 0 ? 20 : 230
        bytes += isPatch ? color ?? [stripe, stripe, stripe] : [128, 128, 128]
      }
    }
    return try Image(bytes: bytes, width: width, height: height, pixelFormat: .rgb8)
  }

  @Test(
    "A crop contains the part with details, saturated colors or skin, wherever it is",
    arguments: [nil, [230, 20, 30], [224, 172, 138]] as [[UInt8]?],
    [(0, 0), (360, 0), (0, 260), (360, 260), (200, 90)])
  func attention(color: [UInt8]?, patch: (Int, Int)) throws {
    let image = try picture(400, 300, patchX: patch.0, patchY: patch.1, color: color)

    let origin = try image.attentiveOrigin(of: PixelSize(width: 100, height: 100))

    #expect(origin.x <= patch.0 + 4 && patch.0 + 40 <= origin.x + 104, "\(origin)")
    #expect(origin.y <= patch.1 + 4 && patch.1 + 40 <= origin.y + 104, "\(origin)")
    #expect((0...300).contains(origin.x) && (0...200).contains(origin.y))
  }

  @Test("Skin attracts more than another color that is as saturated and differs more from its surroundings")
  func skin() throws {
    let skin = try picture(200, 100, patchX: 20, patchY: 30, color: [224, 172, 138])
    let green = try Samples.flat(40, 40, [172, 224, 138])
    let image = try skin.watermarked(with: green, at: .init(x: 0.875, y: 0.5))

    let origin = try image.attentiveOrigin(of: PixelSize(width: 60, height: 100))

    #expect(origin.x <= 24, "\(origin)")
  }

  @Test("The part of a photograph with a face is its face")
  func face() throws {
    let face = try Files.image("picture.png")
    let image = try face.padded(
      top: 20, left: 300, bottom: 60, right: 10, color: Image.Pixel(red: 90, green: 110, blue: 120))

    let origin = try image.attentiveOrigin(of: PixelSize(width: 96, height: 152))

    #expect(abs(origin.x - 300) <= 12, "\(origin)")
  }

  @Test("Without anything to look at, and with a transparent image, the crop is in the center")
  func nothing() throws {
    let gray = try Samples.flat(300, 200, [128, 128, 128])
    let clear = try Samples.flat(300, 200, [255, 0, 0, 0])

    for image in [gray, clear] {
      let origin = try image.attentiveOrigin(of: PixelSize(width: 100, height: 200))
      #expect(abs(origin.x - 100) <= 2 && origin.y == 0, "\(origin)")
    }
  }

  @Test(
    "A size beyond the image is cut, extreme proportions have a part, and an empty size throws `invalidSize`")
  func sizes() throws {
    let image = try Samples.noise(50, 20, .rgb8)
    let line = try Samples.noise(1_000, 1, .gray16)

    #expect(try image.attentiveOrigin(of: PixelSize(width: 90, height: 90)) == (0, 0))
    #expect(try image.attentiveOrigin(of: PixelSize(width: 90, height: 5)).x == 0)
    let origin = try line.attentiveOrigin(of: PixelSize(width: 1, height: 1))
    #expect((0..<1_000).contains(origin.x) && origin.y == 0)
    let error = #expect(throws: ImageCodecError.self) {
      try image.attentiveOrigin(of: PixelSize(width: 0, height: 5))
    }
    #expect(error?.kind == "invalidSize")
  }

  /// A gray strip with a red part.
  private func strip(_ width: Int, _ height: Int, red rows: Range<Int>) throws -> Image {
    let bytes = (0..<height).flatMap { row in
      [[UInt8]](repeating: rows.contains(row) ? [230, 20, 30] : [128, 128, 128], count: width).flatMap { $0 }
    }
    return try Image(bytes: bytes, width: width, height: height, pixelFormat: .rgb8)
  }

  @Test(
    "The part of a tall strip with most to look at is found, whatever its small copy's width is rounded to")
  func attentionInTallStrip() throws {
    // The small copy has 1 × 128 pixels: rows become 0.064 times as many, and columns 0.5 times.
    let image = try strip(2, 2_000, red: 1_700..<1_900)

    let origin = try image.attentiveOrigin(of: PixelSize(width: 2, height: 500))

    // With one scale for both, it is 750: the middle.
    #expect(origin.x == 0 && (1_390...1_500).contains(origin.y), "\(origin)")
    let first = try strip(2, 2_000, red: 100..<300).attentiveOrigin(of: PixelSize(width: 2, height: 500))
    #expect(first.x == 0 && (0...110).contains(first.y), "\(first)")
  }

  @Test("A part that is larger than any image is cut, and does not trap")
  func attentionOfHugeSize() throws {
    let image = try Samples.noise(9, 7, .rgb8)

    // `Int(Double(Int.max))` traps.
    let wide = try image.attentiveOrigin(of: PixelSize(width: .max, height: 3))
    let tall = try image.attentiveOrigin(of: PixelSize(width: 3, height: .max))

    #expect(wide.x == 0 && (0...4).contains(wide.y))
    #expect((0...6).contains(tall.x) && tall.y == 0)
  }
}
