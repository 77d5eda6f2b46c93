import ImageCodecs
import Testing

/// Animations that are made up here, with the parts of their files read by hand.
@Suite("Parts of written animations")
struct EncodedFrameTests {
  private static let sizes = [(1, 1), (1, 6), (6, 1), (5, 4), (9, 7)]
  private static let colors: [[UInt8]] = [
    [250, 0, 0, 255], [0, 250, 0, 255], [0, 0, 250, 255], [9, 9, 9, 255], [0, 0, 0, 0],
  ]

  /// Frames that differ from those before in a few pixels, or not at all.
  private static func frames(_ width: Int, _ height: Int, count: Int, seed: UInt64, isOpaque: Bool) throws
    -> [Image]
  {
    var random = SeededRandom(seed: seed)
    var bytes = (0..<width * height).flatMap { _ in colors[random.below(4)] }
    return try (0..<count).map { number in
      if number > 0 {
        for _ in 0..<random.below(4) {
          let start = random.below(width * height) * 4
          bytes.replaceSubrange(start..<start + 4, with: colors[random.below(isOpaque ? 4 : 5)])
        }
      }
      return try Image(bytes: bytes, width: width, height: height, pixelFormat: .rgba8)
    }
  }

  private static func written(
    _ images: [Image], as encoding: ImageEncoder.Encoding, plays: Int? = nil,
    _ duration: Duration = .milliseconds(120)
  ) throws -> [UInt8] {
    var writer = try AnimationWriter(as: encoding, plays: plays)
    for image in images { try writer.append(AnimationFrame(image: image, duration: duration)) }
    return try writer.finish()
  }

  /// The smallest part that holds all pixels that changed; one pixel if none has.
  private static func changed(_ image: Image, _ last: Image) -> [Int] {
    let (new, old) = (image.bytes, last.bytes)
    let places = (0..<image.width * image.height).filter {
      new[$0 * 4..<$0 * 4 + 4] != old[$0 * 4..<$0 * 4 + 4]
    }
    let (columns, rows) = (places.map { $0 % image.width }, places.map { $0 / image.width })
    guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max()
    else {
      return [0, 0, 1, 1]
    }
    return [left, top, right + 1, bottom + 1]
  }

  private struct Part: Equatable {
    /// Left, top, right and bottom.
    var area: [Int]
    var delay: Int
    var isCleared = false
  }

  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[start + $1]) }
  }

  private static func webpParts(_ file: [UInt8]) -> [Part] {
    var parts: [Part] = []
    var place = 12
    while place + 8 <= file.count {
      let count = number(file, place + 4, 4)
      if file[place..<place + 4].elementsEqual("ANMF".utf8) {
        let fields = (0..<5).map { number(file, place + 8 + $0 * 3, 3) }
        let (left, top) = (fields[0] * 2, fields[1] * 2)
        parts.append(Part(area: [left, top, left + fields[2] + 1, top + fields[3] + 1], delay: fields[4]))
      }
      place += 8 + count + count % 2
    }
    return parts
  }

  private static func gifParts(_ file: [UInt8]) -> [Part] {
    var parts: [Part] = []
    var (place, delay, isCleared) = (13, 0, false)
    func skipBlocks() {
      while file[place] != 0 { place += 1 + Int(file[place]) }
      place += 1
    }
    while place < file.count, file[place] != 0x3B {
      if file[place] == 0x21 {
        if file[place + 1] == 0xF9 {
          (delay, isCleared) = (number(file, place + 4, 2), file[place + 3] >> 2 & 7 == 2)
        }
        place += 2
      } else {
        let fields = (0..<4).map { number(file, place + 1 + $0 * 2, 2) }
        parts.append(
          Part(
            area: [fields[0], fields[1], fields[0] + fields[2], fields[1] + fields[3]], delay: delay,
            isCleared: isCleared))
        let flags = file[place + 9]
        place += 11 + (flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1))
      }
      skipBlocks()
    }
    return parts
  }

  @Test(
    "Frames of a lossless WebP are what changed, from even places, and give the images back",
    arguments: [true, false])
  func webp(isOpaque: Bool) throws {
    for (width, height) in Self.sizes {
      for seed in 1...12 {
        let images = try Self.frames(width, height, count: 5, seed: UInt64(seed), isOpaque: isOpaque)

        let file = try Self.written(images, as: .losslessWebP)

        #expect(try AnimationReader.frames(of: file).map(\.image.bytes) == images.map(\.bytes))
        let expected = zip(images, [images[0]] + images).enumerated().map { index, pair in
          let area = index == 0 ? [0, 0, width, height] : Self.changed(pair.0, pair.1)
          return Part(area: [area[0] & ~1, area[1] & ~1, area[2], area[3]], delay: 120)
        }
        #expect(Self.webpParts(file) == expected, "\(width) × \(height), \(seed)")
        let hasAlpha = images.contains { image in
          stride(from: 3, to: image.byteCount, by: 4).contains { image.bytes[$0] < 255 }
        }
        #expect(try ImageDecoder.info(of: file).hasAlpha == hasAlpha)
      }
    }
  }

  @Test(
    "Frames of a GIF are what changed, or all after one that is cleared, and give the images back",
    arguments: [true, false])
  func gif(isOpaque: Bool) throws {
    for (width, height) in Self.sizes {
      for seed in 1...12 {
        let images = try Self.frames(width, height, count: 5, seed: UInt64(seed), isOpaque: isOpaque)

        let file = try Self.written(images, as: .gif)

        let found = try AnimationReader.frames(of: file).map { try $0.image.withAlpha() }
        #expect(found.map(\.bytes) == images.map(\.bytes), "\(width) × \(height), \(seed)")
        var expected: [Part] = []
        for (index, image) in images.enumerated() {
          let wasCleared = expected.last?.isCleared ?? true
          expected.append(
            Part(
              area: wasCleared ? [0, 0, width, height] : Self.changed(image, images[index - 1]), delay: 12))
          guard index + 1 < images.count else { continue }
          let next = images[index + 1].bytes
          if stride(from: 3, to: next.count, by: 4).contains(where: { next[$0] == 0 && image.bytes[$0] != 0 })
          {
            expected[index] = Part(area: [0, 0, width, height], delay: 12, isCleared: true)
          }
        }
        #expect(Self.gifParts(file) == expected, "\(width) × \(height), \(seed)")
      }
    }
  }

  @Test("Alpha of a GIF is all or nothing, from a half on")
  func alpha() throws {
    let image = try Image(
      bytes: [9, 8, 7, 127, 6, 5, 4, 128, 3, 2, 1, 255, 1, 1, 1, 0], width: 4, height: 1, pixelFormat: .rgba8)
    let found = try ImageDecoder.decode(ImageEncoder.encode(image, as: .gif))
    #expect(found.bytes == [0, 0, 0, 0, 6, 5, 4, 255, 3, 2, 1, 255, 0, 0, 0, 0])
  }

  @Test("Durations and plays are written up to the greatest that a format can hold")
  func bounds() throws {
    let image = try Samples.flat(2, 2, [1, 2, 3])
    func delay(_ encoding: ImageEncoder.Encoding, _ duration: Duration) -> Int? {
      guard let file = try? Self.written([image], as: encoding, duration) else { return nil }
      return (encoding == .gif ? Self.gifParts(file) : Self.webpParts(file)).first?.delay
    }

    for (milliseconds, expected) in [
      (-1, nil), (0, 2), (10, 2), (20, 2), (24, 2), (25, 3), (30, 3), (655_350, 65_535), (655_351, nil),
    ] as [(Int, Int?)] {
      #expect(delay(.gif, .milliseconds(milliseconds)) == expected, "\(milliseconds)")
    }
    for (milliseconds, expected) in [(-1, nil), (0, 0), (1, 1), (16_777_215, 16_777_215), (16_777_216, nil)]
      as [(Int, Int?)]
    {
      #expect(delay(.losslessWebP, .milliseconds(milliseconds)) == expected, "\(milliseconds)")
    }
    #expect(delay(.losslessWebP, .microseconds(1_500)) == 2 && delay(.losslessWebP, .microseconds(-400)) == 0)
    for encoding in [ImageEncoder.Encoding.gif, .losslessWebP, .webp()] {
      for plays in [nil, 1, 2, 65_535] {
        let file = try Self.written([image, Samples.flat(2, 2, [3, 2, 1])], as: encoding, plays: plays)
        #expect(try AnimationReader(file).plays == plays, "\(encoding)")
      }
      for plays in [0, -1, 65_536] {
        #expect(throws: ImageCodecError.encodingFailed("an animation that plays \(plays) times")) {
          try AnimationWriter(as: encoding, plays: plays)
        }
      }
      var writer = try AnimationWriter(as: encoding)
      #expect(throws: ImageCodecError.encodingFailed("an animation without frames")) { try writer.finish() }
      try writer.append(AnimationFrame(image: image, duration: .zero))
      let other = try Samples.flat(3, 2, [1, 2, 3])
      #expect(throws: ImageCodecError.encodingFailed("a frame of 3 × 2 pixels in an animation of 2 × 2")) {
        try writer.append(AnimationFrame(image: other, duration: .zero))
      }
    }
    #expect(throws: ImageCodecError.encodingFailed("an animation as jpeg")) {
      try AnimationWriter(as: .jpeg())
    }
  }

  @Test("The screen of a GIF has its size, and the loop is left out if it plays once")
  func screen() throws {
    let image = try Samples.flat(300, 2, [1, 2, 3])
    let once = try Self.written([image], as: .gif, plays: 1),
      often = try Self.written([image], as: .gif, plays: 259)
    let screen = Array("GIF89a".utf8) + [44, 1, 2, 0, 0x70, 0, 0]
    #expect(once.starts(with: screen + [0x21, 0xF9]) && once.last == 0x3B)
    #expect(
      often.starts(
        with: screen + [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 2, 1, 0, 0x21, 0xF9]))
    #expect(Array(often.dropFirst(13 + 19)) == Array(once.dropFirst(13)))
    #expect(try ImageEncoder.encode(image, as: .gif).starts(with: screen + [0x21, 0xF9]))
  }
}
