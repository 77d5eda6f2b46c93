import ImageCodecs
import Testing

@Suite("`AnimationWriter`")
struct AnimationWriterTests {
  private func written(
    _ frames: [AnimationFrame], _ encoding: ImageEncoder.Encoding = .losslessWebP, plays: Int? = nil
  ) throws -> [UInt8] {
    var writer = try AnimationWriter(as: encoding, plays: plays)
    for frame in frames { try writer.append(frame) }
    return try writer.finish()
  }

  @Test(
    "GIF, WebP and APNG are written as lossless WebP with the same pixels and durations",
    arguments: ["disposed.gif", "animated.webp", "animated.png"])
  func formats(file: String) throws {
    let expected = try AnimationReader.frames(of: Files.bytes(file))

    let found = try AnimationReader.frames(of: written(expected))

    #expect(found.map(\.duration) == expected.map(\.duration))
    for (mine, theirs) in zip(found, expected) {
      #expect(try mine.image.visibleLikeness(to: theirs.image) == 99)
    }
  }

  @Test("A resized animation keeps its frames and their durations")
  func resized() throws {
    let original = try AnimationReader.frames(of: Files.bytes("animated.webp"))
    let small = try AnimationReader.frames(
      of: Files.bytes("animated.webp"), DecodingOptions(target: .fitting(48)))

    let found = try AnimationReader.frames(of: written(small, .webp(quality: 0.9)))

    #expect(found.map(\.duration) == original.map(\.duration) && found.count == 3)
    #expect(found.allSatisfy { $0.image.size == PixelSize(width: 48, height: 36) })
    for (mine, theirs) in zip(found, small) {
      #expect(try mine.image.visibleLikeness(to: theirs.image) > 30)
    }
  }

  @Test("Only the rectangle that changes is encoded, wherever it is", arguments: [false, true])
  func rectangles(isTransparent: Bool) throws {
    let color: [UInt8] = isTransparent ? [0, 0, 0, 0] : [9, 200, 30, 255]
    let first = try Samples.noise(64, 48, .rgba8)
    let whole = try written([AnimationFrame(image: first, duration: .milliseconds(50))])
    for (x, y, width, height) in [
      (0, 0, 1, 1), (63, 47, 1, 1), (31, 17, 5, 3), (0, 47, 64, 1), (10, 0, 2, 48),
    ] {
      var bytes = first.bytes
      for row in y..<y + height {
        for column in x..<x + width {
          bytes.replaceSubrange((row * 64 + column) * 4..<(row * 64 + column) * 4 + 4, with: color)
        }
      }
      let second = try Image(bytes: bytes, width: 64, height: 48, pixelFormat: .rgba8)
      let all = [first, second, second, first].map { AnimationFrame(image: $0, duration: .milliseconds(40)) }

      let file = try written(all)

      #expect(try AnimationReader.frames(of: file).map(\.image.bytes) == all.map(\.image.bytes), "\(x), \(y)")
      #expect(file.count < whole.count + 3_000, "\(x), \(y): \(file.count)")
    }
  }

  @Test("The number of plays is written", arguments: [nil, 1, 7, 65_535])
  func plays(count: Int?) throws {
    let frame = AnimationFrame(image: try Samples.flat(2, 2, [1, 2, 3]), duration: .seconds(1))

    #expect(try AnimationReader(written([frame], plays: count)).plays == count)
    #expect(try AnimationReader(written([frame], .webp(), plays: count)).info.hasAlpha == false)
  }

  @Test("Gray, sixteen bits and profiles become sRGB")
  func pixelFormats() throws {
    let wide = try Samples.picture(20, 10, .rgb16)
    let profiled = try Files.image("wide.png", .asStored)
    for image in [try Samples.picture(20, 10, .gray8), wide, profiled] {
      let found = try AnimationReader.frames(
        of: written([AnimationFrame(image: image, duration: .seconds(1))]))

      let expected = try image.convertedToSRGB().reducedTo8Bits().blended(with: .clear)
      #expect(try found[0].image.visibleLikeness(to: expected) == 99)
    }
  }

  @Test("Settings and frames that cannot be written are errors, and leave the animation as it was")
  func failures() throws {
    let frame = AnimationFrame(image: try Samples.flat(4, 2, [1, 2, 3]), duration: .seconds(1))
    #expect(throws: ImageCodecError.encodingFailed("an animation as png")) { try AnimationWriter(as: .png) }
    for plays in [0, -1, 65_536] {
      #expect(throws: ImageCodecError.encodingFailed("an animation that plays \(plays) times")) {
        try AnimationWriter(plays: plays)
      }
    }
    var writer = try AnimationWriter(as: .losslessWebP)
    #expect(throws: ImageCodecError.encodingFailed("an animation without frames")) { try writer.finish() }
    try writer.append(frame)
    let file = try writer.finish()

    for duration in [Duration.milliseconds(-1), .milliseconds(16_777_216)] {
      #expect(throws: ImageCodecError.encodingFailed("a frame of \(duration)")) {
        try writer.append(AnimationFrame(image: frame.image, duration: duration))
      }
    }
    let other = AnimationFrame(image: try Samples.flat(2, 4, [1, 2, 3]), duration: .seconds(1))
    #expect(throws: ImageCodecError.encodingFailed("a frame of 2 × 4 pixels in an animation of 4 × 2")) {
      try writer.append(other)
    }
    #expect(try writer.finish() == file)
  }

  @Test("The documentation's example resizes an animation")
  func documentation() throws {
    let bytes = try Files.bytes("animated.webp")

    let reader = try AnimationReader(bytes, options: DecodingOptions(target: .fitting(80)))
    var writer = try AnimationWriter(as: .webp(quality: 0.8), plays: reader.plays)
    while let frame = try reader.next() { try writer.append(frame) }
    let file = try writer.finish()

    #expect(
      try AnimationReader.frames(of: file).map(\.duration)
        == AnimationReader.frames(of: bytes).map(\.duration))
    #expect(try AnimationReader(file).plays == 2 && AnimationReader(file).info.storedSize.width == 80)
  }
}
