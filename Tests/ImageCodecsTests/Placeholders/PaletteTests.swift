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
