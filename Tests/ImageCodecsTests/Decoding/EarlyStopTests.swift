import ImageCodecs
import Testing

@Suite("Progressive JPEG thumbnails")
struct EarlyStopTests {
  private func thumbnail(_ bytes: [UInt8], _ side: Double) throws -> Image {
    try ImageDecoder.decode(bytes, options: DecodingOptions(target: .fitting(side)))
  }

  private func file(_ pixelFormat: Image.PixelFormat, quality: Double) throws -> [UInt8] {
    let image = try Samples.picture(640, 480, pixelFormat, colorSpace: .untagged).blurred(radius: 1)
    return try ImageEncoder.encode(image, as: .jpeg(quality: quality, progressive: true))
  }

  @Test(
    "A thumbnail of a progressive JPEG looks like one of the baseline JPEG",
    arguments: [Image.PixelFormat.gray8, .rgb8],
    [(40.0, 0.9), (80, 0.9), (80, 0.5), (120, 0.9), (240, 0.8)])
  func likeness(pixelFormat: Image.PixelFormat, setting: (side: Double, quality: Double)) throws {
    let bytes = try file(pixelFormat, quality: setting.quality)
    // Not progressive, so read as a whole, at the same scale.
    let baseline = try ImageEncoder.encode(
      Samples.picture(640, 480, pixelFormat, colorSpace: .untagged).blurred(radius: 1),
      as: .jpeg(quality: setting.quality))

    let small = try thumbnail(bytes, setting.side)

    #expect(small.likeness(to: try thumbnail(baseline, setting.side)) >= 42)
  }

  @Test("A thumbnail of a photo matches the resized full image within 46 dB", arguments: [33.0, 60, 120])
  func photograph(side: Double) throws {
    let picture = try Files.image("picture.png")
    let large = try picture.resized(to: ResizeTarget(width: 768, height: 576, upscales: true))
    let bytes = try ImageEncoder.encode(large, as: .jpeg(quality: 0.9, progressive: true))
    let whole = try ImageDecoder.decode(ImageEncoder.encode(large, as: .jpeg(quality: 0.9)))

    let small = try thumbnail(bytes, side)

    #expect(small.likeness(to: try whole.resized(to: .fitting(side))) >= 46)
  }

  @Test("A progressive JPEG thumbnail ignores the content of unneeded scans, but requires them to exist")
  func unread() throws {
    let bytes = try file(.rgb8, quality: 0.9)
    let scans = bytes.positions(of: [0xFF, 0xDA])
    let last = try #require(scans.last)
    // The last scan holds nothing but zeros.
    var damaged = bytes
    for position in last + 14..<bytes.count - 2 { damaged[position] = 0 }

    let small = try thumbnail(bytes, 20)

    #expect(scans.count > 5)
    #expect(try thumbnail(damaged, 20) == small)
    let whole = try ImageDecoder.decode(bytes)
    #expect((try? ImageDecoder.decode(damaged)) != whole)
    #expect(throws: ImageCodecError.truncated) { try thumbnail(Array(bytes[..<last]), 20) }
    // Without its end, all scans are read.
    #expect(try thumbnail(Array(bytes.dropLast(2)), 20).size == small.size)
  }

  @Test("A progressive JPEG decodes all scans for linear light or nearly full size")
  func whole() throws {
    let bytes = try file(.rgb8, quality: 0.9)
    let image = try ImageDecoder.decode(bytes)
    let target = ResizeTarget(width: 80, height: 60, light: .linear)

    #expect(
      try ImageDecoder.decode(bytes, options: DecodingOptions(target: target)) == image.resized(to: target))
    #expect(try thumbnail(bytes, 600) == image.resized(to: .fitting(600)))
  }

  @Test("Thumbnail decoding of a progressive JPEG stops when cancelled or at too many scans")
  func interruption() throws {
    let bytes = try file(.rgb8, quality: 0.9)
    var options = DecodingOptions(target: .fitting(80))
    options.limits.maximumScans = 0

    #expect(throws: ImageCodecError.limitExceeded(.scans(0))) {
      try ImageDecoder.decode(bytes, options: options)
    }
    var asked = 0
    #expect(throws: ImageCodecError.cancelled) {
      try ImageDecoder.decode(bytes, options: DecodingOptions(target: .fitting(80))) {
        asked += 1
        return asked > 20
      }
    }
  }

  @Test("A progressive JPEG fails to decode when its coefficients exceed the memory limit")
  func tooManyCoefficients() throws {
    // Gray: two bytes for each of 640 by 480 pixels, and what manages them.
    let bytes = try file(.gray8, quality: 0.9)
    var options = DecodingOptions()
    for (allowed, isEnough) in [(700_000, true), (614_399, false), (10_000, false)] {
      options.limits.maximumWorkingBytes = allowed

      if isEnough {
        #expect(try ImageDecoder.decode(bytes, options: options).size == PixelSize(width: 640, height: 480))
      } else {
        #expect(throws: ImageCodecError.limitExceeded(.workingBytes(allowed))) {
          try ImageDecoder.decode(bytes, options: options)
        }
      }
    }
  }

  @Test(
    "A thumbnail of a progressive JPEG looks like the resized full image", arguments: [40.0, 80, 120, 300])
  func gaps(side: Double) throws {
    // The scans of a file that a program of another kind wrote, one of them for coefficients that no small picture has.
    let bytes = try file(.rgb8, quality: 0.9)
    let whole = try ImageDecoder.decode(bytes)

    let small = try thumbnail(bytes, side)
    let resized = try whole.resized(to: .fitting(side))

    #expect(small.size == resized.size)
    #expect(small.likeness(to: resized) >= 40)
    #expect(small.likeness(to: try whole.oriented(.down).resized(to: .fitting(side))) < 40)
  }

  @Test("A thumbnail of a 48-megapixel progressive JPEG needs less than 6 MiB")
  func memory() throws {
    let line = (0..<8_000).flatMap { x -> [UInt8] in [UInt8(x / 32), UInt8(x % 64), 90] }
    var file: [UInt8] = []
    try JPEGWriter(width: 8_000, height: 6_000, pixelFormat: .rgb8, isProgressive: true).write { _, row in
      row.copyBytes(from: line)
    } output: { bytes in
      file.append(contentsOf: bytes)
    }
    var options = DecodingOptions(target: .fitting(512))
    // All of the coefficients are 144 million bytes.
    options.limits.maximumWorkingBytes = 6 << 20

    #expect(try ImageDecoder.decode(file, options: options).size == PixelSize(width: 512, height: 384))
  }
}
