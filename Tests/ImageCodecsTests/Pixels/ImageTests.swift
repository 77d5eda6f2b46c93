import ImageCodecs
import Testing

@Suite("`Image`")
struct ImageTests {
  @Test(
    "An image has the size, rows, bytes and scale it is created with", arguments: Image.PixelFormat.allCases)
  func made(pixelFormat: Image.PixelFormat) throws {
    let bytes = (0..<6 * pixelFormat.bytesPerPixel).map { UInt8($0) }

    let image = try Image(bytes: bytes, width: 3, height: 2, pixelFormat: pixelFormat, scale: 2)

    #expect(image.size == PixelSize(width: 3, height: 2))
    #expect(image.bytesPerRow == 3 * pixelFormat.bytesPerPixel)
    #expect(image.byteCount == bytes.count)
    #expect(image.bytes == bytes)
    #expect(image.scale == 2)
  }

  @Test("An image created without bytes is transparent black")
  func empty() throws {
    let image = try Image(width: 2, height: 2, pixelFormat: .rgba8)

    #expect(image.bytes == [UInt8](repeating: 0, count: 16))
  }

  @Test(
    "Creating an image with an invalid size throws `invalidSize`",
    arguments: [(0, 1), (1, 0), (-1, 1), (1, -5), (Int.max, 2), (2, Int.max), (Int.min, 1)])
  func invalid(width: Int, height: Int) {
    #expect(throws: ImageCodecError.invalidSize("\(width) × \(height) pixels")) {
      try Image(width: width, height: height, pixelFormat: .rgb8)
    }
  }

  @Test("Creating an image with a wrong number of bytes throws `invalidSize`", arguments: [0, 11, 13])
  func wrongCount(count: Int) {
    #expect(throws: ImageCodecError.invalidSize("\(count) bytes where 12 are needed")) {
      try Image(bytes: [UInt8](repeating: 0, count: count), width: 2, height: 2, pixelFormat: .rgb8)
    }
  }

  @Test("Writing to an image leaves its copies unchanged")
  func copyOnWrite() throws {
    var image = try Samples.flat(2, 2, [1, 2, 3])
    let copy = image

    try image.withUnsafeMutableBytes { $0[0] = 9 }

    #expect(copy.pixel(x: 0, y: 0) == Image.Pixel(red: 1, green: 2, blue: 3))
    #expect(image.pixel(x: 0, y: 0) == Image.Pixel(red: 9, green: 2, blue: 3))
    #expect(image != copy)
  }

  @Test("The pixels of an unmodified copy keep their address")
  func address() throws {
    var image: Image? = try Image(bytes: [1, 2, 3], width: 1, height: 1, pixelFormat: .rgb8)
    let kept = try #require(image)
    let pixels = kept.withUnsafeBytes { $0 }

    try image?.withUnsafeMutableBytes { $0[0] = 9 }
    image = nil

    #expect(pixels.elementsEqual([1, 2, 3]))
    #expect(kept.withUnsafeBytes { $0.baseAddress } == pixels.baseAddress)
  }

  @Test("An image that is uniquely referenced is modified in place")
  func inPlace() throws {
    var image = try Samples.flat(2, 2, [1, 2, 3])
    let before = image.withUnsafeBytes { $0.baseAddress }

    try image.withUnsafeMutableBytes { $0[0] = 9 }

    #expect(image.withUnsafeBytes { $0.baseAddress } == before)
  }

  @Test("Images are equal if size, format, color space, scale and pixels are")
  func equality() throws {
    let image = try Samples.picture(4, 3, .rgb8)

    #expect(try image == Samples.picture(4, 3, .rgb8))
    #expect(try image != Samples.picture(3, 4, .rgb8))
    #expect(try image != Samples.picture(4, 3, .rgba8))
    #expect(try image != Samples.picture(4, 3, .rgb8, colorSpace: .untagged))
    #expect(try image != Image(bytes: image.bytes, width: 4, height: 3, pixelFormat: .rgb8, scale: 2))
  }

  @Test("`pixel(x:y:)` returns single pixels and nil outside the image")
  func pixels() throws {
    let gray = try Image(bytes: [1, 2, 3, 4], width: 2, height: 2, pixelFormat: .gray8)
    let transparent = try Image(bytes: [1, 2, 3, 4], width: 1, height: 1, pixelFormat: .rgba8)

    #expect(gray.pixel(x: 1, y: 0) == Image.Pixel(red: 2, green: 2, blue: 2))
    #expect(transparent.pixel(x: 0, y: 0) == Image.Pixel(red: 1, green: 2, blue: 3, alpha: 4))
    for (x, y) in [(-1, 0), (0, -1), (2, 0), (0, 2)] { #expect(gray.pixel(x: x, y: y) == nil) }
  }

  @Test("`ICCProfile` accepts only bytes with a valid profile header")
  func profiles() {
    let good = Profiles.minimal()

    #expect(ICCProfile(bytes: good)?.bytes == good)
    #expect(ICCProfile(bytes: Array(good.dropLast())) == nil)
    #expect(ICCProfile(bytes: []) == nil)
    #expect(ICCProfile(bytes: [UInt8](repeating: 0, count: 200)) == nil)
  }
}
