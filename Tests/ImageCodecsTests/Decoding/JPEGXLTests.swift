import ImageCodecs
import Testing

@Suite("JPEG XL")
struct JPEGXLTests {
  /// Of several groups, which libjxl decodes one after the other.
  private static func photograph() throws -> Image { try ImageDecoder.decode(Files.photograph()) }

  @Test(
    "A JPEG becomes a smaller JPEG XL, which gives the same bytes back",
    arguments: ["baseline.jpg", "progressive.jpg", "wide.jpg"])
  func transcoding(name: String) throws {
    let jpeg = try Files.bytes(name)

    let file = try ImageEncoder.jpegXL(fromJPEG: jpeg)

    #expect(file.count < jpeg.count)
    #expect(try ImageDecoder.originalJPEG(of: file) == jpeg)
    #expect(try ImageDecoder.decode(file).likeness(to: ImageDecoder.decode(jpeg)) > 38)
  }

  @Test("The JPEG that another program has transcoded is given back")
  func originalJPEG() throws {
    #expect(try ImageDecoder.originalJPEG(of: Files.bytes("transcoded.jxl")) == Files.bytes("baseline.jpg"))
    #expect(
      try ImageDecoder.originalJPEG(of: Files.bytes("orientation-6.jxl")) == Files.bytes("orientation-6.jpg"))
    #expect(try ImageDecoder.originalJPEG(of: Files.bytes("picture.jxl")) == nil)
    #expect(try ImageDecoder.originalJPEG(of: Files.bytes("deep.jxl")) == nil)
  }

  @Test("An original JPEG stays within the limits, and other files have none")
  func originalLimits() throws {
    let file = try Files.bytes("transcoded.jxl")
    var limits = DecodingLimits()
    limits.maximumEncodedBytes = try Files.bytes("baseline.jpg").count - 1

    #expect(throws: ImageCodecError.limitExceeded(.encodedBytes(limits.maximumEncodedBytes))) {
      try ImageDecoder.originalJPEG(of: file, limits: limits)
    }
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.originalJPEG(of: file.dropLast(1_000)) }
    #expect(throws: ImageCodecError.unsupportedFormat(.jpeg)) {
      try ImageDecoder.originalJPEG(of: Files.bytes("baseline.jpg"))
    }
  }

  @Test("Only a JPEG that libjxl supports can be transcoded")
  func refusedJPEG() throws {
    let inks = try Files.bytes("cmyk.jpg")
    for bytes in [try Files.bytes("picture.png"), inks, Array(try Files.bytes("baseline.jpg").prefix(800))] {
      #expect { try ImageEncoder.jpegXL(fromJPEG: bytes) } throws: { error in
        (error as? ImageCodecError)?.kind == "encodingFailed"
      }
    }
  }

  @Test(
    "A lossless JPEG XL has the same pixels, with 8 and with 16 bits", arguments: Image.PixelFormat.allCases)
  func lossless(format: Image.PixelFormat) throws {
    let image = try Samples.picture(50, 30, format)

    let file = try ImageEncoder.encode(image, as: .losslessJPEGXL())
    let decoded = try ImageDecoder.decode(file, options: DecodingOptions(keepsDepth: true))

    #expect(decoded == image)
  }

  @Test("A lower quality and a higher effort make smaller files")
  func settings() throws {
    let image = try Self.photograph()
    let sizes = try [1.0, 0.8, 0.5, 0.2].map {
      try ImageEncoder.encode(image, as: .jpegXL(quality: $0, effort: 3)).count
    }
    let likenesses = try [0.95, 0.5].map {
      try ImageDecoder.decode(ImageEncoder.encode(image, as: .jpegXL(quality: $0, effort: 3))).likeness(
        to: image)
    }

    #expect(sizes == sizes.sorted(by: >) && Set(sizes).count == sizes.count)
    #expect(likenesses[0] > 36 && likenesses[0] > likenesses[1] + 3)
    #expect(
      try ImageEncoder.encode(image, as: .losslessJPEGXL(effort: 5)).count
        < ImageEncoder.encode(image, as: .png).count)
    for effort in [0, 10] {
      for encoding in [ImageEncoder.Encoding.jpegXL(effort: effort), .losslessJPEGXL(effort: effort)] {
        #expect(throws: ImageCodecError.encodingFailed("an effort of \(effort)")) {
          try ImageEncoder.encode(image, as: encoding)
        }
      }
    }
  }

  @Test(
    "The beginning of a lossy file shows the whole image, and more of it shows more",
    arguments: [false, true])
  func progressive(isTranscoded: Bool) throws {
    let image = try Self.photograph()
    let file =
      isTranscoded
      ? try ImageEncoder.jpegXL(fromJPEG: ImageEncoder.encode(image, as: .jpeg(quality: 0.9)))
      : try ImageEncoder.encode(image, as: .jpegXL(quality: 0.9, effort: 3))
    #expect(try ImageDecoder.info(of: file.prefix(2_000)).isProgressive)

    var likenesses: [Double] = []
    for eighth in 3...7 {
      let part = try ImageDecoder.decodeAvailable(Array(file.prefix(file.count * eighth / 8)))
      #expect(!part.isComplete && part.image.size == image.size)
      likenesses.append(part.image.likeness(to: image))
    }

    #expect(likenesses[0] > 18, "\(likenesses)")
    #expect(likenesses == likenesses.sorted(), "\(likenesses)")
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decodeAvailable(Array(file.prefix(200))) }
    #expect(try ImageDecoder.decodeAvailable(file).isComplete)
  }

  @Test("Decoding can be cancelled while a file is read")
  func cancelled() throws {
    let file = try ImageEncoder.encode(Self.photograph(), as: .jpegXL(quality: 0.9, effort: 3))
    var polls = 0
    _ = try ImageDecoder.decode(file) {
      polls += 1
      return false
    }

    #expect(polls > 15)
    for last in [5, polls / 2, polls - 4] {
      var count = 0
      #expect(throws: ImageCodecError.cancelled) {
        try ImageDecoder.decode(file) {
          count += 1
          return count >= last
        }
      }
    }
  }

  @Test("The frames of an animation have their times")
  func animation() throws {
    let file = try Files.bytes("animated.jxl")
    let original = try AnimationReader(Files.bytes("animated.png"))
    let reader = try AnimationReader(file)
    #expect(try ImageDecoder.info(of: file).isAnimated)

    var count = 0
    while let frame = try reader.next() {
      let expected = try #require(try original.next())
      #expect(try frame.image.visibleLikeness(to: expected.image) >= 99)
      #expect(frame.duration == expected.duration)
      count += 1
    }
    #expect(count == 2)
    // cjxl does not copy the number of an APNG.
    #expect(reader.plays == nil)
  }

  @Test(
    "The color profile of an animation is applied as that of a still image, or kept",
    arguments: [false, true])
  func animatedProfile(isGray: Bool) throws {
    let file = isGray ? JPEGXLAnimation.linearGray : JPEGXLAnimation.displayP3
    for options in [DecodingOptions(), .asStored] {
      let frame = try #require(try AnimationReader(file, options: options).next())

      #expect(frame.image == (try ImageDecoder.decode(file, options: options)))
      #expect((frame.image.colorSpace == .sRGB) == (isGray || options.colors == .sRGB))
    }
  }

  @Test("An animation that ends early throws after the frames that are there")
  func truncatedAnimation() throws {
    let file = try Files.bytes("animated.jxl")
    let reader = try AnimationReader(Array(file.dropLast(1_000)))

    #expect(try reader.next() != nil)
    #expect(throws: ImageCodecError.truncated) { try reader.next() }
    #expect(try reader.next() == nil)
  }

  @Test("The header has orientation, animation and depth at any place", arguments: 1...8)
  func fields(orientation: Int) throws {
    var stream = JPEGXLStream.header(
      700, 20,
      extraFields: { stream in
        stream.write(orientation - 1, 3)
        let (hasSize, hasPreview, hasAnimation) = (1, 1, 1)
        stream.write(hasSize, 1)
        stream.writeSize(70, 2)
        // A preview of 16 by 32 pixels in multiples of eight.
        stream.write(hasPreview, 1)
        stream.write(1, 1)
        stream.write(0, 2)
        stream.write(0, 3)
        stream.write(1, 2)
        // A hundred ticks a second, three times, without time codes.
        stream.write(hasAnimation, 1)
        stream.write(0, 4)
        stream.write(1, 2)
        stream.write(3, 3)
        stream.write(0, 1)
      }, channels: 2)
    stream.writeChannel(1, nameLength: 60)
    stream.writeChannel(0)
    stream.write(0, 20)

    let info = try ImageDecoder.info(of: stream.bytes)

    #expect(info.storedSize == PixelSize(width: 700, height: 20))
    #expect(info.orientation.rawValue == orientation)
    #expect(info.isAnimated && info.hasAlpha && info.bitsPerComponent == 8 && !info.isProgressive)
  }

  @Test("A size in multiples of eight, or by a ratio, is read")
  func sizes() throws {
    let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    for (index, ratio) in ratios.enumerated() {
      var stream = JPEGXLStream()
      let isSmall = 1
      stream.write(isSmall, 1)
      stream.write(14, 5)
      stream.write(index + 1, 3)
      // All defaults.
      stream.write(1, 1)
      #expect(
        try ImageDecoder.info(of: stream.bytes).size
          == PixelSize(width: 120 * ratio.0 / ratio.1, height: 120))
    }
  }

  @Test("A profile is kept without loss, and its colors with loss; one that libjxl refuses is an error")
  func profiles() throws {
    let profile = try #require(ICCProfile.displayP3)
    let image = try Samples.picture(64, 48, .rgb8, colorSpace: .profile(profile))
    let lossless = try ImageEncoder.encode(image, as: .losslessJPEGXL())
    let lossy = try ImageEncoder.encode(image, as: .jpegXL(quality: 0.95))

    #expect(try ImageDecoder.decode(lossless, options: .asStored).likeness(to: image) >= 99)
    #expect(try ImageDecoder.decode(lossless, options: .asStored).colorSpace.profile != nil)
    #expect(try ImageDecoder.decode(lossy).likeness(to: image.convertedToSRGB()) > 30)

    let broken = try #require(ICCProfile(bytes: Profiles.minimal()))
    let labelled = try Samples.picture(8, 8, .rgb8, colorSpace: .profile(broken))
    #expect(throws: ImageCodecError.encodingFailed("libjxl does not accept the color profile")) {
      try ImageEncoder.encode(labelled, as: .losslessJPEGXL())
    }
  }

  @Test("A lossy photograph of one frame is known to need little memory, other files are not")
  func memory() throws {
    let photograph = try Self.photograph()
    let pixels = photograph.width * photograph.height
    func perPixel(_ file: [UInt8]) throws -> Int { try ImageDecoder.byteCost(of: file) / pixels }

    for effort in [1, 3, 5, 7] {
      #expect(try perPixel(ImageEncoder.encode(photograph, as: .jpegXL(effort: effort))) == 9, "\(effort)")
    }
    #expect(try perPixel(ImageEncoder.jpegXL(fromJPEG: ImageEncoder.encode(photograph, as: .jpeg()))) == 9)
    #expect(try perPixel(ImageEncoder.encode(photograph, as: .losslessJPEGXL())) == 35)
    let small = 96 * 72
    #expect(try ImageDecoder.byteCost(of: Files.bytes("gray.jxl")) == small * 7)
    #expect(try ImageDecoder.byteCost(of: Files.bytes("orientation-6.jxl")) == small * (9 + 4))
    #expect(try ImageDecoder.byteCost(of: Files.bytes("transparent.jxl")) == small * 48)
    #expect(try ImageDecoder.byteCost(of: Files.bytes("animated.jxl")) == small * (80 + 3))
  }

  @Test("Metadata in boxes is read, before and behind the image")
  func metadata() throws {
    let picture = try Files.bytes("picture.jxl")
    let exif = ExifFile.photograph(isBigEndian: true).bytes
    let xmp = Array(PhotographFile.xmp.utf8)
    let boxes = [("Exif", [0, 0, 0, 0] + exif), ("jxlc", picture), ("xml ", xmp)]

    let metadata = try ImageMetadata(of: JPEGXLStream.file(boxes))

    #expect(metadata.camera.make == "Maker" && metadata.title == "Tower & sea")
    #expect(try ImageDecoder.decode(JPEGXLStream.file(boxes)) == Files.image("picture.jxl"))
    #expect(try ImageMetadata(of: picture).isEmpty)
  }
}
