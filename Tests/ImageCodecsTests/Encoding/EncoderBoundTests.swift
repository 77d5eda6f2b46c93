import ImageCodecs
import Testing

@Suite("Bounds of `ImageEncoder`")
struct EncoderBoundTests {
  private static func failure(_ width: Int, _ height: Int, _ encoding: ImageEncoder.Encoding) throws
    -> ImageCodecError?
  {
    let image = try Image(width: width, height: height, pixelFormat: .gray8)
    do throws(ImageCodecError) {
      let file = try ImageEncoder.encode(image, as: encoding)
      #expect(try! ImageDecoder.info(of: file).storedSize == image.size)
      return nil
    } catch { return error }
  }

  @Test(
    "Images have up to as many pixels a side as their format can hold",
    arguments: [(ImageEncoder.Encoding.jpeg(), 65_500), (.losslessWebP, 16_383), (.gif, 65_535)])
  func sides(encoding: ImageEncoder.Encoding, most: Int) throws {
    for (width, height) in [(most, 1), (1, most)] {
      #expect(try Self.failure(width, height, encoding) == nil)
    }
    for (width, height) in [(most + 1, 1), (1, most + 1)] {
      #expect(
        try Self.failure(width, height, encoding)
          == .encodingFailed("\(width) × \(height) pixels in a format of at most \(most) a side"))
    }
    #expect(try Self.failure(70_000, 1, .png) == nil)
  }

  @Test("Qualities are from 0 to 1, and efforts of WebP from 0 to 6")
  func settings() throws {
    let image = try Samples.picture(32, 24, .rgb8)
    for quality in [0.0, 0.5, 1] {
      for encoding in [ImageEncoder.Encoding.jpeg(quality: quality), .webp(quality: quality)] {
        #expect(throws: Never.self) { try ImageEncoder.encode(image, as: encoding) }
      }
    }
    for quality in [-Double.leastNonzeroMagnitude, (1.0).nextUp, .nan] {
      for encoding in [ImageEncoder.Encoding.jpeg(quality: quality), .webp(quality: quality)] {
        #expect(throws: ImageCodecError.encodingFailed("a quality of \(quality)")) {
          try ImageEncoder.encode(image, as: encoding)
        }
      }
    }
    for effort in [0, 6] {
      #expect(throws: Never.self) { try ImageEncoder.encode(image, as: .webp(effort: effort)) }
    }
    for effort in [-1, 7] {
      #expect(throws: ImageCodecError.encodingFailed("an effort of \(effort)")) {
        try ImageEncoder.encode(image, as: .webp(effort: effort))
      }
    }
    #expect(ImageEncoder.Encoding.jpeg() == .jpeg(quality: 0.85, progressive: false))
    let sizes = try [0.1, 0.5, 0.9, 1].map { try ImageEncoder.encode(image, as: .jpeg(quality: $0)).count }
    #expect(sizes == sizes.sorted() && Set(sizes).count == 4)
  }

  @Test("Sixteen bits are kept by PNG only, of the formats without a trait; no loss is none")
  func depth() throws {
    let deep = try Samples.noise(7, 5, .rgb16)
    let narrow = try deep.reducedTo8Bits()
    for (encoding, isDeep) in [(ImageEncoder.Encoding.png, true), (.losslessWebP, false)] {
      let found = try ImageDecoder.decode(
        ImageEncoder.encode(deep, as: encoding), options: DecodingOptions(keepsDepth: true))
      #expect(found.pixelFormat == (isDeep ? .rgb16 : .rgb8) && found.bytes == (isDeep ? deep : narrow).bytes)
    }
    let lossy = try ImageDecoder.decode(ImageEncoder.encode(deep, as: .webp(quality: 1)))
    #expect(lossy.bytes != narrow.bytes)
    for (encoding, format) in [
      (ImageEncoder.Encoding.jpeg(), ImageFormat.jpeg), (.png, .png), (.webp(), .webp),
      (.losslessWebP, .webp), (.gif, .gif),
      (.avif(), .avif), (.heic(), .heic), (.jpegXL(), .jpegXL), (.losslessJPEGXL(), .jpegXL),
    ] {
      #expect(encoding.format == format)
    }
  }

  @Test(
    "A limit of bytes is met at the highest quality that five halvings find",
    arguments: [
      ImageEncoder.Encoding.jpeg(quality: 0.9), .jpeg(quality: 0.8, progressive: true),
      .webp(quality: 0.9, effort: 1),
    ])
  func limits(encoding: ImageEncoder.Encoding) throws {
    let image = try Samples.noise(24, 16, .rgb8).blurred(radius: 1)
    func file(_ quality: Double) throws -> [UInt8] {
      switch encoding {
      case .jpeg(_, let progressive):
        try ImageEncoder.encode(image, as: .jpeg(quality: quality, progressive: progressive))
      case .webp(_, let effort): try ImageEncoder.encode(image, as: .webp(quality: quality, effort: effort))
      default: []
      }
    }
    let wanted = encoding == .jpeg(quality: 0.8, progressive: true) ? 0.8 : 0.9
    let (least, most) = (try file(0).count, try file(wanted).count)
    #expect(least < most)
    for limit in [most, most - 1, (least + most) / 2, least + 1, least] {
      var best = try file(0)
      if most <= limit {
        best = try file(wanted)
      } else {
        var (low, high) = (0.0, wanted)
        for _ in 0..<5 {
          let middle = try file((low + high) / 2)
          if middle.count <= limit {
            (best, low) = (middle, (low + high) / 2)
          } else {
            high = (low + high) / 2
          }
        }
      }

      #expect(try ImageEncoder.encode(image, as: encoding, maximumByteCount: limit) == best, "\(limit)")
    }
    #expect(throws: ImageCodecError.encodingFailed("more than \(least - 1) bytes at any quality")) {
      try ImageEncoder.encode(image, as: encoding, maximumByteCount: least - 1)
    }
  }

  @Test(
    "A format without a quality meets a limit of bytes or not",
    arguments: [ImageEncoder.Encoding.png, .losslessWebP, .gif])
  func lossless(encoding: ImageEncoder.Encoding) throws {
    let image = try Samples.picture(20, 10, .rgb8)
    let file = try ImageEncoder.encode(image, as: encoding)
    #expect(try ImageEncoder.encode(image, as: encoding, maximumByteCount: file.count) == file)
    #expect(throws: ImageCodecError.encodingFailed("more than \(file.count - 1) bytes at any quality")) {
      try ImageEncoder.encode(image, as: encoding, maximumByteCount: file.count - 1)
    }
  }

  @Test("JPEGs of every size and both colors hold their pixels to the last row and column")
  func rows() throws {
    for format in [Image.PixelFormat.gray8, .rgb8] {
      for (width, height) in [(1, 1), (1, 17), (17, 1), (9, 8), (33, 15)] {
        let image = try Samples.picture(width, height, format)
        let found = try ImageDecoder.decode(ImageEncoder.encode(image, as: .jpeg(quality: 1)))
        #expect(found.size == image.size && found.pixelFormat == format)
        #expect(found.likeness(to: image) > 30)
      }
    }
  }

  @Test(
    "A writer of JPEGs takes sides from 1 to the greatest, and asks for each row once, with the row before")
  func writer() throws {
    func failure(_ width: Int, _ height: Int, _ format: Image.PixelFormat = .gray8) -> ImageCodecError? {
      do {
        try JPEGWriter(width: width, height: height, pixelFormat: format).write(
          row: { _, _ in }, output: { _ in })
        return nil
      } catch { return error as? ImageCodecError }
    }
    for (width, height) in [(1, 1), (65_500, 1), (1, 65_500)] { #expect(failure(width, height) == nil) }
    for (width, height) in [(0, 1), (1, 0), (-1, 1), (65_501, 1), (1, 65_501)] {
      #expect(
        failure(width, height)
          == .encodingFailed("\(width) × \(height) pixels in a format of at most 65500 a side"))
    }
    for format in [Image.PixelFormat.gray16, .rgb16, .rgba16] {
      #expect(failure(1, 1, format) == .encodingFailed("\(format) in a JPEG, which has 8 bits"))
    }
    var random = SeededRandom(seed: 9)
    var (pieces, rows, last) = ([[UInt8]](), [Int](), [UInt8](repeating: 0, count: 600))
    try JPEGWriter(width: 200, height: 300, pixelFormat: .rgb8, quality: 1).write { y, bytes in
      #expect(bytes.elementsEqual(last))
      rows.append(y)
      for index in bytes.indices { bytes[index] = random.byte() }
      last = Array(bytes)
    } output: {
      pieces.append(Array($0))
    }
    #expect(rows == Array(0..<300) && pieces.count > 2)
    #expect(pieces.dropLast().allSatisfy { $0.count > 32_768 } && pieces.last?.isEmpty == false)
    let file = pieces.flatMap { $0 }
    #expect(file.starts(with: [0xFF, 0xD8]) && file.suffix(2) == [0xFF, 0xD9])
    #expect(try ImageDecoder.info(of: file).isProgressive == false)
    #expect(try ImageDecoder.decode(file).colorSpace == .untagged)
  }
}
