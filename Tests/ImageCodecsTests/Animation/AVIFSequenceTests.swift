import ImageCodecs
import Testing

@Suite("AVIF sequences")
struct AVIFSequenceTests {
  @Test("An AVIF sequence plays its frames, and very short ones for 100 ms")
  func frames() throws {
    let bytes = try Files.bytes("animated.avif")
    let picture = try Files.image("picture.png")

    let found = try AnimationReader.frames(of: bytes)

    #expect(try ImageDecoder.info(of: bytes).isAnimated && AnimationReader.formats.contains(.avif))
    #expect(found.map(\.duration) == [.milliseconds(40), .milliseconds(80), .milliseconds(100)])
    for (frame, expected) in zip(found, [picture, try picture.oriented(.down), picture]) {
      #expect(try frame.image.visibleLikeness(to: expected) > 28)
    }
    #expect(try found[0].image.visibleLikeness(to: ImageDecoder.decode(bytes)) > 28)
  }

  @Test("A resized sequence keeps its frames and their durations, as a GIF and as a WebP")
  func resized() throws {
    for encoding in [ImageEncoder.Encoding.gif, .webp()] {
      let reader = try AnimationReader(
        Files.bytes("animated.avif"), options: DecodingOptions(target: .fitting(48)))
      var writer = try AnimationWriter(as: encoding, plays: reader.plays)
      while let frame = try reader.next() { try writer.append(frame) }

      let found = try AnimationReader.frames(of: writer.finish())

      #expect(found.map(\.duration) == [.milliseconds(40), .milliseconds(80), .milliseconds(100)])
      #expect(found.allSatisfy { $0.image.size == PixelSize(width: 48, height: 36) })
    }
  }

  /// The file with an edit list: how long the sequence plays altogether, and how long each time.
  private static func file(isLong: Bool, repeats: Bool, whole: Int, once: Int) throws -> [UInt8] {
    let file = try Files.bytes("animated.avif")
    let start = try #require(file.positions(of: Array("moov".utf8)).first) - 4
    let length = Array(file[start..<start + 4]).reduce(0) { $0 << 8 | Int($1) }
    var movie = Array(file[start..<start + length])
    let track = try #require(movie.positions(of: Array("trak".utf8)).first) - 4
    let head = track + 8
    // Durations of version 1 have eight bytes.
    let old = Array(movie[head..<head + 4]).reduce(0) { $0 << 8 | Int($1) }
    let isOldLong = movie[head + 8] == 1
    let place = head + 8 + (isOldLong ? 28 : 20)
    movie.replaceSubrange(place..<place + (isOldLong ? 8 : 4), with: big(whole, count: isOldLong ? 8 : 4))
    let list =
      [isLong ? 1 : 0, 0, 0, repeats ? 1 : 0] + big(1, count: 4) + big(once, count: isLong ? 8 : 4)
      + big(0, count: isLong ? 8 : 4) + [0, 1, 0, 0]
    let edits = BoxesFile.box("edts", BoxesFile.box("elst", list))
    movie.insert(contentsOf: edits, at: head + old)
    for box in [0, track] {
      let size = Array(movie[box..<box + 4]).reduce(0) { $0 << 8 | Int($1) } + edits.count
      movie.replaceSubrange(box..<box + 4, with: big(size, count: 4))
    }
    // At the end, because offsets are counted from the beginning.
    var result = file
    result.replaceSubrange(start + 4..<start + 8, with: Array("free".utf8))
    return result + movie
  }

  @Test("The number of plays is that of the edit list; without one, a sequence plays for ever")
  func plays() throws {
    func plays(_ isLong: Bool, _ repeats: Bool, _ whole: Int, _ once: Int) throws -> Int? {
      let file = try Self.file(isLong: isLong, repeats: repeats, whole: whole, once: once)
      #expect(try AnimationReader.frames(of: file).count == 3)
      return try AnimationReader(file).plays
    }

    #expect(try AnimationReader(Files.bytes("animated.avif")).plays == nil)
    for isLong in [false, true] {
      #expect(try plays(isLong, false, 125, 125) == 1)
      #expect(try plays(isLong, true, 375, 125) == 3)
      #expect(try plays(isLong, true, 376, 125) == 4)
      #expect(try plays(isLong, true, 1, 125) == 1)
    }
    #expect(try plays(false, true, 1 << 31, 1) == 65_535)
  }

  @Test("An edit list without a duration is an error, or the sequence plays for ever")
  func playsOfNoTime() throws {
    // libavif 0.11 takes it, and 1.2 refuses it.
    let file = try Self.file(isLong: false, repeats: true, whole: 375, once: 0)
    do {
      #expect(try AnimationReader(file).plays == nil)
    } catch {
      guard case .corrupt = error else { throw error }
    }
  }

  @Test("A sequence without its brand, or without tracks, is a still image or an error, and never a trap")
  func damaged() throws {
    let bytes = try Files.bytes("animated.avif")
    var plain = bytes
    for position in plain.positions(of: Array("avis".utf8)) {
      plain.replaceSubrange(position..<position + 4, with: Array("avif".utf8))
    }
    #expect(try AnimationReader.frames(of: plain).count == 1)

    for type in ["trak", "mdia", "minf", "stbl", "stsd", "stsz", "stco"] {
      var damaged = bytes
      let first = try #require(damaged.positions(of: Array(type.utf8)).first)
      damaged.replaceSubrange(first..<first + 4, with: Array("skip".utf8))
      #expect(throws: ImageCodecError.self, "\(type)") {
        if try AnimationReader.frames(of: damaged).count < 3 { throw ImageCodecError.truncated }
      }
    }
  }
}
