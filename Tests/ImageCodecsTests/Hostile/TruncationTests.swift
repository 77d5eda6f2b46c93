import ImageCodecs
import Testing

@Suite("Truncated files")
struct TruncationTests {
  static let files: [(String, ImageEncoder.Encoding, Image.PixelFormat)] = [
    ("gray JPEG", .jpeg(), .gray8), ("JPEG", .jpeg(), .rgb8),
    ("progressive JPEG", .jpeg(progressive: true), .rgb8),
    ("PNG", .png, .rgb8), ("transparent PNG", .png, .rgba8),
    ("WebP", .webp(), .rgb8), ("transparent WebP", .webp(), .rgba8), ("lossless WebP", .losslessWebP, .rgba8),
  ]

  @Test("An encoded file that is cut anywhere throws `truncated`", arguments: files)
  func strict(sample: (name: String, encoding: ImageEncoder.Encoding, pixelFormat: Image.PixelFormat)) throws
  {
    let file = try ImageEncoder.encode(Samples.noise(60, 44, sample.pixelFormat), as: sample.encoding)

    for sixteenth in 1..<16 {
      #expect(throws: ImageCodecError.truncated, "\(sixteenth)/16") {
        try ImageDecoder.decode(Array(file.prefix(file.count * sixteenth / 16)))
      }
    }
    var options = DecodingOptions()
    options.limits.incomplete = .refuse
    #expect(throws: ImageCodecError.truncated) {
      try ImageDecoder.decode(Array(file.dropLast()), options: options)
    }
    #expect(throws: ImageCodecError.notAnImage(.empty)) { try ImageDecoder.decode([]) }
  }

  @Test("`decodeAvailable` returns a partial image and reports it as incomplete", arguments: files)
  func available(sample: (name: String, encoding: ImageEncoder.Encoding, pixelFormat: Image.PixelFormat))
    throws
  {
    let image = try Samples.noise(60, 44, sample.pixelFormat)
    let file = try ImageEncoder.encode(image, as: sample.encoding)

    for sixteenth in [8, 10, 12, 13, 14, 15] {
      let part = try ImageDecoder.decodeAvailable(Array(file.prefix(file.count * sixteenth / 16)))

      #expect(part.image.size == image.size)
      #expect(!part.isComplete)
    }
    let all = try ImageDecoder.decodeAvailable(file)
    #expect(try all == AvailableImage(image: ImageDecoder.decode(file), isComplete: true))
  }

  @Test("A partial PNG has its first rows unchanged")
  func firstRows() throws {
    let image = try Samples.noise(30, 40, .rgb8)
    let file = try ImageEncoder.encode(image, as: .png)

    let part = try ImageDecoder.decodeAvailable(Array(file.prefix(file.count / 2)))

    #expect(part.image.bytes.prefix(15 * 90) == image.bytes.prefix(15 * 90))
    #expect(part.image.bytes.suffix(90).allSatisfy { $0 == 0 })
  }

  @Test(
    "A BMP, ICO or TIFF that is cut anywhere throws `truncated`",
    arguments: [
      "plain.bmp", "palette.bmp", "runs.bmp", "wide.bmp", "bitmap.ico", "png.ico", "plain.tiff", "fax.tiff",
      "palette.tiff", "jpeg.tiff", "wide.tiff",
    ])
  func others(name: String) throws {
    let file = try Files.bytes(name)

    for sixteenth in 1..<16 {
      #expect(throws: ImageCodecError.truncated, "\(sixteenth)/16") {
        try ImageDecoder.decode(Array(file.prefix(file.count * sixteenth / 16)))
      }
    }
  }

  @Test("A partial BMP has its bottom rows unchanged", arguments: ["plain.bmp", "runs.bmp"])
  func bitmap(name: String) throws {
    let file = try Files.bytes(name)
    let whole = try ImageDecoder.decode(file)

    let part = try ImageDecoder.decodeAvailable(Array(file.prefix(file.count * 2 / 3)))

    #expect(!part.isComplete && part.image.size == whole.size)
    #expect(part.image.bytes.suffix(whole.bytesPerRow * 40) == whole.bytes.suffix(whole.bytesPerRow * 40))
    #expect(part.image.bytes.prefix(whole.bytesPerRow) != whole.bytes.prefix(whole.bytesPerRow))
  }
}
