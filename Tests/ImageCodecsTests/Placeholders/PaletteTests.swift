import ImageCodecs
import Testing

@Suite("Palettes")
struct PaletteTests {
  /// Columns of colors, as many of each as its number.
  private func columns(_ colors: [([UInt8], Int)]) throws -> Image {
    let row = colors.flatMap { color, count in [[UInt8]](repeating: color, count: count).flatMap { $0 } }
    let width = colors.reduce(0) { $0 + $1.1 }
    return try Image(
      bytes: [[UInt8]](repeating: row, count: 10).flatMap { $0 }, width: width, height: 10,
      pixelFormat: colors[0].0.count == 4 ? .rgba8 : .rgb8)
  }

  @Test("A palette has the colors of an image by decreasing share, and no more than there are")
  func shares() throws {
    let image = try columns([([250, 250, 250], 10), ([20, 40, 200], 60), ([200, 30, 30], 30)])

    let palette = try image.palette(count: 6)

    #expect(
      palette.map(\.color.description) == [
        "(20, 40, 200, 255)", "(200, 30, 30, 255)", "(250, 250, 250, 255)",
      ])
    #expect(palette.map { ($0.share * 100).rounded() } == [60, 30, 10])
    #expect(try image.dominantColor() == palette[0].color)
  }

  @Test("Similar colors are one color of a palette, their average")
  func similar() throws {
    var random = SeededRandom(seed: 9)
    let bytes = (0..<2_000).flatMap { index -> [UInt8] in
      let base: [UInt8] = index % 4 == 0 ? [220, 60, 40] : [40, 90, 160]
      return base.map { $0 + UInt8(random.below(9)) }
    }
    let image = try Image(bytes: bytes, width: 50, height: 40, pixelFormat: .rgb8)

    let palette = try image.palette(count: 2)

    #expect(palette.count == 2)
    #expect(palette[0].color.isNear([44, 94, 164], by: 1) && abs(palette[0].share - 0.75) < 0.001)
    #expect(palette[1].color.isNear([224, 64, 44], by: 1))
  }

  @Test("The colors of a palette are closer to the pixels than those of any coarser one")
  func errors() throws {
    let image = try HashedImage.stripes.drawn(64, 64)
    let errors = try [1, 2, 4, 8, 16].map { count in try error(of: image, image.palette(count: count)) }

    #expect(zip(errors, errors.dropFirst()).allSatisfy { $0 > $1 })
    #expect(errors[4] * 4 < errors[0])
  }

  /// The squares of the distances of all pixels to the closest color of the palette.
  private func error(of image: Image, _ palette: [Image.Swatch]) -> Int {
    let (bytes, colors) = (image.bytes.map { Int($0) }, palette.map(\.color))
    return stride(from: 0, to: bytes.count, by: 3).reduce(0) { sum, start in
      let squares = colors.map { color -> Int in
        let red = bytes[start] - Int(color.red)
        let green = bytes[start + 1] - Int(color.green)
        let blue = bytes[start + 2] - Int(color.blue)
        return red * red + green * green + blue * blue
      }
      return sum + (squares.min() ?? 0)
    }
  }

  @Test("Transparent pixels do not count, and a transparent image has no palette")
  func transparency() throws {
    let image = try columns([([255, 0, 0, 0], 60), ([0, 200, 0, 255], 20), ([0, 0, 200, 51], 20)])

    let palette = try image.palette(count: 3)

    #expect(palette.map(\.color.description) == ["(0, 200, 0, 255)", "(0, 0, 200, 255)"])
    #expect(abs(palette[0].share - 5 / 6.0) < 0.001)
    #expect(try Samples.flat(3, 3, [1, 2, 3, 0]).dominantColor() == nil)
  }

  @Test(
    "A palette of gray, of 16 bits and of a large image is computed, and other counts throw `invalidSetting`")
  func sizes() throws {
    #expect(try Samples.flat(3, 3, [77]).dominantColor() == Image.Pixel(red: 77, green: 77, blue: 77))
    #expect(try Samples.flat(3, 3, [7, 8, 9]).widened().dominantColor()?.blue == 9)
    #expect(try Samples.flat(900, 10, [7, 8, 9]).palette(count: 64).count == 1)
    for count in [0, -1, 65] {
      let error = #expect(throws: ImageCodecError.self) { try Samples.flat(1, 1, [1]).palette(count: count) }
      #expect(error?.kind == "invalidSetting")
    }
  }
}
