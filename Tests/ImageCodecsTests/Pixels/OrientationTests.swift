import ImageCodecs
import Testing

@Suite("`ImageOrientation`")
struct OrientationTests {
  /// `abc/def` as it must be shown, by orientation.
  static let upright: [(ImageOrientation, [String])] = [
    (.up, ["abc", "def"]), (.upMirrored, ["cba", "fed"]),
    (.down, ["fed", "cba"]), (.downMirrored, ["def", "abc"]),
    (.leftMirrored, ["ad", "be", "cf"]), (.right, ["da", "eb", "fc"]),
    (.rightMirrored, ["fc", "eb", "da"]), (.left, ["cf", "be", "ad"]),
  ]

  @Test("Each orientation turns pixels upright", arguments: upright, Image.PixelFormat.allCases)
  func turns(expected: (ImageOrientation, [String]), pixelFormat: Image.PixelFormat) throws {
    let stored = try picture(["abc", "def"], pixelFormat)

    let image = try stored.oriented(expected.0)

    #expect(try image == picture(expected.1, pixelFormat))
  }

  @Test("Each orientation turns images larger than one block upright", arguments: ImageOrientation.allCases)
  func turnsLarge(orientation: ImageOrientation) throws {
    let stored = try Samples.noise(70, 45, .rgb8)

    let image = try stored.oriented(orientation)

    #expect(image.size == orientation.upright(stored.size))
    for (x, y) in [(0, 0), (69, 0), (0, 44), (69, 44), (33, 31), (31, 33), (64, 32)] {
      let place = OrientationTests.place(x, y, in: stored.size, orientation)
      #expect(image.pixel(x: place.x, y: place.y) == stored.pixel(x: x, y: y))
    }
  }

  @Test("The orientation of a JPEG is applied once at any decoded size", arguments: upright, [nil, 24.0])
  func jpeg(expected: (ImageOrientation, [String]), side: Double?) throws {
    let stored = try blocks(["abc", "def"])
    let exif = Exif.segment(Exif.data(orientation: expected.0.rawValue, bigEndian: true))
    let file = try ImageEncoder.encode(stored, as: .jpeg(quality: 1)).addingToJPEG(exif)
    var options = DecodingOptions()
    options.target = side.map { .fitting($0) }

    let info = try ImageDecoder.info(of: file)
    let image = try ImageDecoder.decode(file, options: options)

    #expect(info.orientation == expected.0)
    #expect(info.storedSize == stored.size)
    #expect(
      image.size
        == PixelSize(
          width: Int(side ?? 48) * info.size.width / 48, height: Int(side ?? 48) * info.size.height / 48))
    expectBlocks(expected.1, in: image)
  }

  @Test("The orientation of a PNG is applied once", arguments: upright)
  func png(expected: (ImageOrientation, [String])) throws {
    let stored = try picture(["abc", "def"], .rgb8)
    let exif = Exif.data(orientation: expected.0.rawValue, bigEndian: false)
    let file = Exif.add(exif, toPNG: try ImageEncoder.encode(stored, as: .png))

    #expect(try ImageDecoder.decode(file) == picture(expected.1, .rgb8))
  }

  @Test("The orientation of a WebP is applied once", arguments: upright)
  func webp(expected: (ImageOrientation, [String])) throws {
    let stored = try picture(["abc", "def"], .rgb8)
    let exif = Exif.data(orientation: expected.0.rawValue, bigEndian: true)
    let file = WebPFile.adding(
      exif: exif, to: try ImageEncoder.encode(stored, as: .losslessWebP), size: stored.size, hasAlpha: false)

    #expect(try ImageDecoder.decode(file) == picture(expected.1, .rgb8))
  }

  @Test("Encoding a turned image stores it upright")
  func encodesUpright() throws {
    let exif = Exif.segment(Exif.data(orientation: 6, bigEndian: true))
    let turned = try ImageDecoder.decode(
      ImageEncoder.encode(blocks(["abc", "def"]), as: .jpeg(quality: 1)).addingToJPEG(exif))

    for encoding in [ImageEncoder.Encoding.jpeg(), .png, .webp(), .losslessWebP] {
      let again = try ImageDecoder.decode(ImageEncoder.encode(turned, as: encoding))

      #expect(again.size == turned.size)
    }
  }

  private func picture(_ rows: [String], _ pixelFormat: Image.PixelFormat) throws -> Image {
    let bytes = rows.joined().utf8.flatMap { [UInt8](repeating: $0, count: pixelFormat.bytesPerPixel) }
    return try Image(bytes: bytes, width: rows[0].utf8.count, height: rows.count, pixelFormat: pixelFormat)
  }

  /// A block of 16 pixels a letter.
  private func blocks(_ rows: [String]) throws -> Image {
    let bytes = rows.flatMap { row in
      (0..<16).flatMap { _ in row.utf8.flatMap { [UInt8](repeating: level($0), count: 16) } }
    }
    return try Image(
      bytes: bytes, width: rows[0].utf8.count * 16, height: rows.count * 16, pixelFormat: .gray8)
  }

  private func expectBlocks(_ rows: [String], in image: Image) {
    let side = image.width / rows[0].utf8.count
    for (y, row) in rows.enumerated() {
      for (x, letter) in row.utf8.enumerated() {
        let pixel = image.pixel(x: x * side + side / 2, y: y * side + side / 2)
        #expect(abs(Int(pixel?.red ?? 0) - Int(level(letter))) <= 6)
      }
    }
  }

  private func level(_ letter: UInt8) -> UInt8 { (letter - UInt8(ascii: "a")) * 40 + 20 }

  private static func place(
    _ x: Int, _ y: Int, in size: PixelSize, _ orientation: ImageOrientation
  ) -> (x: Int, y: Int) {
    let right = size.width - 1 - x
    let bottom = size.height - 1 - y
    return switch orientation {
    case .up: (x, y)
    case .upMirrored: (right, y)
    case .down: (right, bottom)
    case .downMirrored: (x, bottom)
    case .leftMirrored: (y, x)
    case .right: (bottom, x)
    case .rightMirrored: (bottom, right)
    case .left: (y, right)
    }
  }
}
