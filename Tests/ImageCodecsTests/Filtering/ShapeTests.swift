import ImageCodecs
import Testing

@Suite("Cropping, rotating and rounding")
struct ShapeTests {
  @Test("A corner radius of at least half the side makes a circle")
  func circle() throws {
    let image = try Samples.flat(64, 64, [200, 200, 200])

    let circle = try image.rounded(radius: 32)

    let area = circle.bytes.enumerated().reduce(0) { $0 + ($1.offset % 4 == 3 ? Int($1.element) : 0) }
    #expect(abs(Double(area) / 255 - 3_216.99) < 4)
    #expect(try image.rounded(radius: 1e9) == circle)
    #expect(try image.rounded(radius: .infinity) == circle)
  }

  @Test("A rounded image has a border of the given color and width")
  func border() throws {
    let red = Image.Pixel(red: 255, green: 0, blue: 0)

    let image = try Samples.flat(20, 20, [0, 0, 255]).rounded(radius: 5, borderWidth: 3, borderColor: red)

    for depth in 0..<3 { #expect(image.pixel(x: depth, y: 10) == red) }
    #expect(image.pixel(x: 3, y: 10) == Image.Pixel(red: 0, green: 0, blue: 255))
    #expect(image.pixel(x: 0, y: 0)?.alpha == 0)
    #expect(
      try Samples.flat(4, 4, [1, 1, 1]).rounded(radius: 0, borderWidth: 50, borderColor: red)
        .bytes.prefix(4) == [255, 0, 0, 255])
  }

  @Test("Rounding corners keeps existing transparency")
  func transparency() throws {
    let image = try Samples.flat(9, 9, [1, 2, 3, 100]).rounded(radius: 2)

    #expect(image.pixel(x: 4, y: 4) == Image.Pixel(red: 1, green: 2, blue: 3, alpha: 100))
    // A little more than a third of the pixel lies within the circle.
    #expect(image.pixel(x: 0, y: 0)?.alpha == 38)
  }

  @Test("Quarter turns move pixels without changing them")
  func quarters() throws {
    let image = try Samples.noise(6, 4, .rgb8)

    let turned = try image.turned(degrees: 90)

    #expect(turned.size == PixelSize(width: 4, height: 6))
    #expect(turned.pixel(x: 3, y: 0) == image.pixel(x: 0, y: 0))
    #expect(try turned.turned(degrees: 270) == image)
    #expect(try turned.turned(degrees: -90) == image)
    #expect(try turned.turned(degrees: 450) == image.turned(degrees: 180))
    #expect(try image.turned(degrees: 360) == image)
    #expect(throws: ImageCodecError.self) { try image.turned(degrees: .nan) }
  }

  @Test("A rotation by 45 degrees fits the whole image on a transparent background")
  func angles() throws {
    let image = try Samples.flat(40, 40, [50, 100, 150])

    let turned = try image.turned(degrees: 45)

    #expect(turned.size == PixelSize(width: 57, height: 57))
    #expect(turned.pixel(x: 28, y: 28) == Image.Pixel(red: 50, green: 100, blue: 150))
    #expect(turned.pixel(x: 0, y: 0)?.alpha == 0)
    let area = turned.bytes.enumerated().reduce(0) { $0 + ($1.offset % 4 == 3 ? Int($1.element) : 0) }
    #expect(abs(Double(area) / 255 - 1_600) < 12)
    let colors = Set(
      (0..<57 * 57).compactMap { index in
        turned.pixel(x: index % 57, y: index / 57).flatMap { $0.alpha > 0 ? $0.red : nil }
      })
    #expect(colors == [50])
  }

  @Test("A rotation whose result exceeds the limits throws `tooLarge`")
  func turnLimits() throws {
    let image = try Samples.flat(40, 40, [50, 100, 150])
    var pixels = DecodingLimits(), bytes = DecodingLimits()
    (pixels.maximumPixels, bytes.maximumDecodedBytes) = (57 * 57, 57 * 57 * 4)

    #expect(try image.turned(degrees: 45, limits: pixels).width == 57)
    #expect(try image.turned(degrees: 45, limits: bytes).width == 57)
    pixels.maximumPixels -= 1
    bytes.maximumDecodedBytes -= 1
    #expect(throws: ImageCodecError.tooLarge(width: 57, height: 57, limit: .pixels(3_248))) {
      try image.turned(degrees: 45, limits: pixels)
    }
    #expect(throws: ImageCodecError.tooLarge(width: 57, height: 57, limit: .bytes(12_995))) {
      try image.turned(degrees: 45, limits: bytes)
    }
  }

  @Test("Flipping an image reverses columns, rows or both")
  func flips() throws {
    let image = try Samples.noise(5, 4, .gray8)

    let sideways = try image.flipped(horizontally: true, vertically: false)
    let upsideDown = try image.flipped(horizontally: false, vertically: true)

    #expect(sideways.pixel(x: 0, y: 1) == image.pixel(x: 4, y: 1))
    #expect(upsideDown.pixel(x: 1, y: 0) == image.pixel(x: 1, y: 3))
    #expect(try sideways.flipped(horizontally: false, vertically: true) == image.turned(degrees: 180))
    #expect(try image.flipped(horizontally: false, vertically: false) == image)
  }
}
