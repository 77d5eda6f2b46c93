import ImageCodecs
import Testing

@Suite("`Image.collage`")
struct CollageTests {
  private func flat(_ level: UInt8) throws -> Image { try Samples.flat(10, 10, [level, level, level]) }

  private func collage(_ count: Int) throws -> Image {
    let images = try (1...count).map { try flat(UInt8($0 * 10)) }
    return try Image.collage(images: images, size: PixelSize(width: 60, height: 60))
  }

  @Test(
    "A collage arranges its images in rows of tiles, in order",
    arguments: [
      (1, [[10]]), (2, [[10, 20]]), (3, [[10, 20], [30]]), (4, [[10, 20], [30, 40]]),
      (5, [[10, 20, 30], [40, 50]]), (6, [[10, 20, 30], [40, 50, 60]]),
      (7, [[10, 20, 30], [40, 50], [60, 70]]),
    ] as [(Int, [[UInt8]])])
  func grid(count: Int, levels: [[UInt8]]) throws {
    let image = try collage(count)

    #expect(image.size == PixelSize(width: 60, height: 60) && image.pixelFormat == .rgb8)
    for (row, line) in levels.enumerated() {
      let y = 60 * row / levels.count
      for (column, level) in line.enumerated() {
        let start = 60 * column / line.count
        let end = 60 * (column + 1) / line.count - 1
        #expect(image.pixel(x: start, y: y)?.red == level)
        #expect(image.pixel(x: end, y: y + 60 / levels.count - 1)?.red == level)
      }
    }
  }

  @Test("A tile shows the center of an image with another aspect ratio")
  func crop() throws {
    let bytes = (0..<40 * 10).flatMap { index -> [UInt8] in
      (15..<25).contains(index % 40) ? [200, 0, 0] : [0, 0, 200]
    }
    let wide = try Image(bytes: bytes, width: 40, height: 10, pixelFormat: .rgb8)

    let image = try Image.collage(images: [wide], size: PixelSize(width: 20, height: 20))

    for x in [2, 10, 17] {
      let pixel = try #require(image.pixel(x: x, y: 10))
      #expect(pixel.red > 180 && pixel.blue < 20)
    }
  }

  @Test("A collage keeps transparency, and without images it is fully transparent")
  func transparency() throws {
    let size = PixelSize(width: 20, height: 10)
    let clear = try Samples.flat(4, 4, [9, 9, 9, 0])

    let mixed = try Image.collage(images: [clear, Samples.flat(4, 4, [77])], size: size)
    let empty = try Image.collage(images: [], size: size)

    #expect(mixed.pixel(x: 5, y: 5)?.alpha == 0)
    #expect(mixed.pixel(x: 15, y: 5) == Image.Pixel(red: 77, green: 77, blue: 77))
    #expect(empty.size == size && empty.bytes.allSatisfy { $0 == 0 })
  }

  @Test("A collage of more images than pixels still has the requested size")
  func tiny() throws {
    let images = try (0..<50).map { try flat(UInt8($0)) }

    let image = try Image.collage(images: images, size: PixelSize(width: 2, height: 3))

    #expect(image.pixel(x: 0, y: 0)?.red == 0 && image.size == PixelSize(width: 2, height: 3))
  }

  @Test("A collage with an invalid or too large size throws an error")
  func limits() throws {
    for size in [PixelSize(width: 0, height: 5), PixelSize(width: 5, height: -1)] {
      let error = #expect(throws: ImageCodecError.self) { try Image.collage(images: [flat(1)], size: size) }
      #expect(error?.kind == "invalidSize")
    }
    let error = #expect(throws: ImageCodecError.self) {
      try Image.collage(images: [flat(1)], size: PixelSize(width: 100_000, height: 100_000))
    }
    #expect(error?.kind == "tooLarge")
    #expect(throws: ImageCodecError.cancelled) {
      try Image.collage(images: [flat(1)], size: PixelSize(width: 20, height: 20), isCancelled: { true })
    }
  }
}
