import ImageCodecs
import Testing

@Suite("GIF, written")
struct GIFWritingTests {
  private func written(_ frames: [AnimationFrame], plays: Int? = nil) throws -> [UInt8] {
    var writer = try AnimationWriter(as: .gif, plays: plays)
    for frame in frames { try writer.append(frame) }
    return try writer.finish()
  }

  @Test("A GIF is written again with the same pixels, durations and number of plays")
  func again() throws {
    let bytes = try Files.bytes("disposed.gif")
    let expected = try AnimationReader.frames(of: bytes)

    let file = try written(expected, plays: AnimationReader(bytes).plays)

    #expect(try AnimationReader.frames(of: file).map(\.duration) == expected.map(\.duration))
    for (mine, theirs) in zip(try AnimationReader.frames(of: file), expected) {
      #expect(try mine.image.visibleLikeness(to: theirs.image) == 99)
    }
    #expect(try AnimationReader(file).plays == AnimationReader(bytes).plays)
  }

  @Test(
    "A resized animation keeps its frames and their durations", arguments: ["animated.webp", "animated.png"])
  func resized(name: String) throws {
    let original = try AnimationReader.frames(of: Files.bytes(name))
    let small = try AnimationReader.frames(of: Files.bytes(name), DecodingOptions(target: .fitting(48)))

    let found = try AnimationReader.frames(of: written(small))

    #expect(found.map(\.duration) == original.map(\.duration))
    for (mine, theirs) in zip(found, small) {
      #expect(mine.image.size == PixelSize(width: 48, height: 36))
      let likeness = try mine.image.visibleLikeness(to: theirs.image)
      #expect(likeness > 28, "\(likeness) dB")
    }
  }

  /// Gray levels side by side, as many as there are.
  private static func levels(_ count: Int, _ alpha: UInt8 = 255) throws -> Image {
    let bytes = (0..<count).flatMap { (level: Int) -> [UInt8] in
      [UInt8(level), UInt8(level / 2), UInt8(255 - level), alpha]
    }
    return try Image(bytes: bytes, width: count, height: 1, pixelFormat: .rgba8)
  }

  @Test("Up to 255 colors are exact, and 256 are close")
  func colors() throws {
    for count in [1, 2, 3, 128, 129, 255] {
      let image = try Self.levels(count)
      #expect(try ImageDecoder.decode(ImageEncoder.encode(image, as: .gif)).visibleLikeness(to: image) == 99)
    }
    let most = try Self.levels(256)
    #expect(try ImageDecoder.decode(ImageEncoder.encode(most, as: .gif)).visibleLikeness(to: most) > 34)
  }

  @Test("A photograph is as close as 255 colors allow, and its mean color is kept by diffusion")
  func photograph() throws {
    let picture = try ImageDecoder.decode(Files.photograph()).cropped(x: 0, y: 0, width: 320, height: 240)

    let found = try ImageDecoder.decode(ImageEncoder.encode(picture, as: .gif))

    let likeness = found.likeness(to: picture)
    #expect(likeness > 31, "\(likeness) dB")
    let (mine, theirs) = (
      try found.resized(to: ResizeTarget(width: 16, height: 12)),
      try picture.resized(to: ResizeTarget(width: 16, height: 12))
    )
    #expect(mine.likeness(to: theirs) > 44)
  }

  @Test("Pixels are transparent below half of the opacity, and opaque from there on")
  func transparency() throws {
    let image = try Image(
      bytes: [9, 8, 7, 127, 9, 8, 7, 128, 1, 2, 3, 0, 4, 5, 6, 255], width: 4, height: 1, pixelFormat: .rgba8)

    let found = try ImageDecoder.decode(ImageEncoder.encode(image, as: .gif))

    #expect(found.pixelFormat == .rgba8)
    #expect(found.bytes == [0, 0, 0, 0, 9, 8, 7, 255, 0, 0, 0, 0, 4, 5, 6, 255])
    let clear = try Image(width: 3, height: 2, pixelFormat: .rgba8)
    #expect(try ImageDecoder.decode(ImageEncoder.encode(clear, as: .gif)).bytes == clear.bytes)
    let full = try Self.levels(255)
    var bytes = full.bytes
    bytes += [0, 0, 0, 0]
    let both = try Image(bytes: bytes, width: 256, height: 1, pixelFormat: .rgba8)
    #expect(try ImageDecoder.decode(ImageEncoder.encode(both, as: .gif)).bytes == bytes)
  }

  @Test("Rectangles that change, appear and become transparent are drawn, in any order", arguments: 0..<20)
  func sequences(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let colors: [[UInt8]] = [
      [0, 0, 0, 0], [250, 0, 0, 255], [0, 250, 0, 255], [0, 0, 0, 255], [255, 255, 255, 255],
    ]
    var bytes = [UInt8](repeating: 0, count: 12 * 9 * 4)
    let all = try (0..<8).map { _ in
      let color = colors[Int.random(in: 0..<colors.count, using: &random)]
      let (x, y) = (Int.random(in: 0..<12, using: &random), Int.random(in: 0..<9, using: &random))
      for row in y..<Int.random(in: y...9, using: &random) {
        for column in x..<Int.random(in: x...12, using: &random) {
          bytes.replaceSubrange((row * 12 + column) * 4..<(row * 12 + column) * 4 + 4, with: color)
        }
      }
      return AnimationFrame(
        image: try Image(bytes: bytes, width: 12, height: 9, pixelFormat: .rgba8), duration: .milliseconds(50)
      )
    }

    let found = try AnimationReader.frames(of: written(all))

    #expect(found.map(\.image.bytes) == all.map(\.image.bytes))
  }

  @Test("Parts of a frame that stay the same are not encoded again")
  func savings() throws {
    let first = try Samples.noise(64, 48, .rgba8)
    var bytes = first.bytes
    for pixel in [0, 64 * 48 - 1] { bytes.replaceSubrange(pixel * 4..<pixel * 4 + 4, with: [1, 2, 3, 255]) }
    let second = try Image(bytes: bytes, width: 64, height: 48, pixelFormat: .rgba8)
    let one = try written([AnimationFrame(image: first, duration: .seconds(1))])

    let two = try written([first, second].map { AnimationFrame(image: $0, duration: .seconds(1)) })

    #expect(two.count < one.count + 400, "\(one.count), \(two.count)")
  }

  @Test("The number of plays is written", arguments: [nil, 1, 2, 7, 65_535])
  func plays(count: Int?) throws {
    let frame = AnimationFrame(image: try Samples.flat(2, 2, [1, 2, 3]), duration: .seconds(1))

    #expect(try AnimationReader(written([frame], plays: count)).plays == count)
  }

  @Test("Durations are hundredths of a second, of at least two")
  func durations() throws {
    let image = try Samples.flat(2, 2, [1, 2, 3])
    func written(_ milliseconds: Int) throws -> Duration? {
      let frame = AnimationFrame(image: image, duration: .milliseconds(milliseconds))
      return try AnimationReader.frames(of: self.written([frame])).first?.duration
    }

    #expect(try written(0) == .milliseconds(20) && written(14) == .milliseconds(20))
    #expect(try written(26) == .milliseconds(30) && written(655_350) == .milliseconds(655_350))
    #expect(throws: ImageCodecError.encodingFailed("a frame of \(Duration.milliseconds(655_351))")) {
      try written(655_351)
    }
  }

  @Test("A still GIF has no repetition, no metadata, and at most 65,535 pixels per side")
  func still() throws {
    let image = try Samples.flat(3, 2, [1, 2, 3])
    let file = try ImageEncoder.encode(image, as: .gif)

    #expect(try ImageDecoder.info(of: file).isAnimated == false && AnimationReader(file).plays == 1)
    #expect(file.starts(with: Array("GIF89a".utf8)) && file.last == 0x3B)
    let wide = try Image(width: 65_536, height: 1, pixelFormat: .gray8)
    #expect(throws: ImageCodecError.self) { try ImageEncoder.encode(wide, as: .gif) }
    #expect(throws: ImageCodecError.self) { try ImageEncoder.encode(image, as: .gif, maximumByteCount: 10) }
  }

  @Test("A frame that is too large for its format is refused by `AnimationWriter`", arguments: [false, true])
  func oversize(isTall: Bool) throws {
    for (encoding, side) in [(.gif, 65_535), (.losslessWebP, 16_383)] as [(ImageEncoder.Encoding, Int)] {
      let image = try Image(
        width: isTall ? 1 : side + 1, height: isTall ? side + 1 : 1, pixelFormat: .gray8)
      var writer = try AnimationWriter(as: encoding)

      #expect(
        throws: ImageCodecError.encodingFailed("\(image.size) pixels in a format of at most \(side) a side")
      ) {
        try writer.append(AnimationFrame(image: image, duration: .seconds(1)))
      }
    }
  }
}
