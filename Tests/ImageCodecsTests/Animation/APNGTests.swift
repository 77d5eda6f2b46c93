import ImageCodecs
import Testing

@Suite("Animated PNG")
struct APNGTests {
  @Test("The frames of another program's file are decoded with their durations")
  func file() throws {
    let bytes = try Files.bytes("animated.png")

    let found = try AnimationReader.frames(of: bytes)

    #expect(found.map(\.duration) == [.milliseconds(100), .milliseconds(200)])
    let picture = try Files.image("picture.png")
    #expect(try found[0].image.onPaper() == picture.onPaper())
    #expect(try found[1].image.onPaper() == picture.oriented(.down).onPaper())
    #expect(try AnimationReader(bytes).plays == 3)
    #expect(try ImageDecoder.decode(bytes) == picture)
  }

  @Test("A frame is drawn after every combination of earlier disposals and blendings")
  func combinations() throws {
    for number in 0..<6 * 6 * 6 {
      let kinds = [number % 6, number / 6 % 6, number / 36, 3]
      let parts = kinds.enumerated().map { index, kind in
        APNGFile.Frame(
          x: index == 0 ? 0 : index, y: 0, width: index == 0 ? 6 : 3, height: 1, disposal: UInt8(kind % 3),
          blending: UInt8(kind / 3), color: [UInt8(40 * index + 50), 0, 0, index == 2 ? 0 : 255])
      }
      let file = APNGFile(width: 6, height: 1, frames: parts)

      let found = try AnimationReader.frames(of: file.bytes).map { frame in
        stride(from: 0, to: 24, by: 4).map { frame.image.bytes[$0 + 3] == 0 ? 0 : Int(frame.image.bytes[$0]) }
      }

      #expect(found == Self.shown(parts), "\(kinds)")
    }
  }

  /// What such frames show, by the words of the specification: the red of each pixel, 0 where it is transparent.
  private static func shown(_ frames: [APNGFile.Frame]) -> [[Int]] {
    var canvas = [Int](repeating: 0, count: 6)
    return frames.map { frame in
      let before = canvas
      let isVisible = frame.color[3] > 0
      for x in frame.x..<frame.x + frame.width where isVisible || frame.blending == 0 {
        canvas[x] = isVisible ? Int(frame.color[0]) : 0
      }
      defer {
        if frame.disposal == 1 { for x in frame.x..<frame.x + frame.width { canvas[x] = 0 } }
        if frame.disposal == 2 { canvas = before }
      }
      return canvas
    }
  }

  @Test("Half transparent frames are mixed with the ones below")
  func mixed() throws {
    let below = APNGFile.Frame(width: 4, height: 3, color: [100, 0, 0, 255])
    let above = APNGFile.Frame(x: 1, y: 1, blending: 1, color: [0, 200, 0, 128])

    let found = try AnimationReader.frames(of: APNGFile(frames: [below, above]).bytes)

    #expect(found[1].image.pixel(x: 1, y: 1) == Image.Pixel(red: 50, green: 100, blue: 0))
    #expect(found[1].image.pixel(x: 0, y: 1) == Image.Pixel(red: 100, green: 0, blue: 0))
  }

  @Test("The image of other decoders is no frame unless a frame header is before it")
  func otherImage() throws {
    var file = APNGFile.sample()
    let expected = try AnimationReader.frames(of: file.bytes)
    file.startsWithImage = false

    #expect(try AnimationReader.frames(of: file.bytes) == expected)
    #expect(
      expected.map(\.duration) == [
        .milliseconds(70), .milliseconds(70), .milliseconds(100), .milliseconds(30),
      ])
    #expect(try AnimationReader(file.bytes).plays == 2)
    #expect(try ImageDecoder.decode(file.bytes).pixel(x: 0, y: 0)?.red == 9)
    file.plays = 0
    #expect(try AnimationReader(file.bytes).plays == nil)
  }

  /// A frame of 2 × 1 pixels, behind its number.
  private static let control: [UInt8] = [
    0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 100, 0, 0,
  ]

  @Test("Palettes, transparent entries and interlacing apply to all frames")
  func palette() throws {
    let (head, colors) = (
      PNGFile(width: 2, height: 1, color: 3, interlace: 1), [10, 20, 30, 40, 50, 60] as [UInt8]
    )
    var file = head
    file.append("acTL", big(2, count: 4) + big(0, count: 4))
    file.append("PLTE", colors)
    file.append("tRNS", [255, 0])
    file.append("fcTL", big(0, count: 4) + Self.control)
    // In passes: the first and the last pixel of a row of two.
    file.append("IDAT", Deflate.stored([0, 0, 0, 1]))
    file.append("fcTL", big(1, count: 4) + Self.control)
    file.append("fdAT", big(2, count: 4) + Deflate.stored([0, 1, 0, 0]))
    file.end()

    #expect(
      try AnimationReader.frames(of: file.bytes).map(\.image.bytes) == [
        [10, 20, 30, 255, 40, 50, 60, 0], [40, 50, 60, 0, 10, 20, 30, 255],
      ])
  }

  @Test("The palette of an animated PNG may follow the header of its first frame")
  func paletteBehindHeader() throws {
    var file = PNGFile(width: 2, height: 1, color: 3)
    file.append("acTL", big(2, count: 4) + big(0, count: 4))
    file.append("fcTL", big(0, count: 4) + Self.control)
    file.append("PLTE", [10, 20, 30, 40, 50, 60])
    file.append("tRNS", [255, 0])
    file.append("IDAT", Deflate.stored([0, 0, 1]))
    file.append("fcTL", big(1, count: 4) + Self.control)
    file.append("fdAT", big(2, count: 4) + Deflate.stored([0, 1, 0]))
    file.end()

    let shown: [UInt8] = [10, 20, 30, 255, 40, 50, 60, 0]
    #expect(try ImageDecoder.decode(file.bytes).bytes == shown)
    #expect(
      try AnimationReader.frames(of: file.bytes).map(\.image.bytes) == [
        shown, [40, 50, 60, 0, 10, 20, 30, 255],
      ])
  }

  @Test("The transparent color of an animated PNG may follow the header of its first frame")
  func transparencyBehindHeader() throws {
    var file = PNGFile(width: 2, height: 1, color: 0)
    file.append("acTL", big(1, count: 4) + big(0, count: 4))
    file.append("fcTL", big(0, count: 4) + Self.control)
    file.append("tRNS", [0, 7])
    file.append("IDAT", Deflate.stored([0, 7, 9]))
    file.end()

    let shown: [UInt8] = [7, 7, 7, 0, 9, 9, 9, 255]
    #expect(try ImageDecoder.decode(file.bytes).bytes == shown)
    #expect(try AnimationReader.frames(of: file.bytes).map(\.image.bytes) == [shown])
  }

  static let damages: [(String, String, @Sendable (inout APNGFile) -> Void)] = [
    ("a wide frame", "a frame outside of its canvas", { $0.frames[1].width = 4 }),
    ("a far frame", "a frame outside of its canvas", { $0.frames[1].y = 0x7FFF_FFFF }),
    ("an empty frame", "a damaged frame header", { $0.frames[1].height = 0 }),
    ("an unknown disposal", "a damaged frame header", { $0.frames[1].disposal = 3 }),
    ("an unknown blending", "a damaged frame header", { $0.frames[1].blending = 2 }),
    ("a wrong sum of a header", "a damaged frame header", { $0.frames[1].headerError = 1 }),
    ("a wrong sum of data", "a wrong checksum", { $0.frames[1].dataError = 1 }),
    ("no data", "a frame without data", { $0.frames[1].hasData = false }),
    ("a gap", "frames out of order", { $0.gap = 2 }),
    ("a gap in data", "frames out of order", { $0.gap = 3 }),
    ("a small first frame", "a first frame of another size", { $0.frames[0].width = 3 }),
    (
      "no frames", "an animation without frames",
      { ($0.count, $0.frames, $0.startsWithImage) = (1, [], false) }
    ),
  ]

  @Test("A damaged frame is an error, and the frames before it are decoded", arguments: damages.indices)
  func damaged(index: Int) throws {
    let (name, reason, damage) = Self.damages[index]
    var file = APNGFile.sample()
    damage(&file)
    let reader = try AnimationReader(file.bytes)
    var count = 0

    #expect(throws: ImageCodecError.corrupt(reason), "\(name)") {
      while try reader.next() != nil { count += 1 }
    }

    #expect(count == (["a small first frame", "no frames"].contains(name) ? 0 : 1), "\(name)")
    #expect(try reader.next() == nil)
  }

  @Test("Fewer frames than announced are shown, and further ones are not")
  func counts() throws {
    for (count, shown) in [(1, 1), (3, 3), (4, 4), (9, 4), (Int(UInt32.max), 4)] {
      var file = APNGFile.sample()
      file.count = count
      #expect(try AnimationReader.frames(of: file.bytes).count == shown)
    }
    var none = APNGFile.sample()
    none.count = 0
    #expect(try AnimationReader.frames(of: none.bytes).count == 1)
    #expect(try AnimationReader.frames(of: none.bytes)[0].image.size == PixelSize(width: 4, height: 3))
  }

  @Test("A file that ends early shows its whole frames, and then ends as the limits say")
  func truncation() throws {
    var file = APNGFile.sample()
    let whole = try AnimationReader.frames(of: file.bytes).map(\.image)
    file.hasEnd = false
    let bytes = file.bytes
    func shown(_ count: Int, _ incomplete: DecodingLimits.Incomplete) throws -> (
      count: Int, error: ImageCodecError?
    ) {
      var options = DecodingOptions()
      options.limits.incomplete = incomplete
      let reader = try AnimationReader(Array(bytes.prefix(count)), options: options)
      var images: [Image] = []
      do throws(ImageCodecError) {
        while let frame = try reader.next() { images.append(frame.image) }
      } catch {
        return (images.count, error)
      }
      #expect(images == Array(whole.prefix(images.count)))
      return (images.count, nil)
    }

    #expect(try shown(bytes.count, .acceptAllPixels) == (4, nil))
    #expect(try shown(bytes.count, .acceptAnyPixels) == (4, nil))
    #expect(try shown(bytes.count, .refuse) == (4, .truncated))
    for missing in [1, 20, 80] {
      #expect(try shown(bytes.count - missing, .acceptAllPixels) == (3, .truncated))
      #expect(try shown(bytes.count - missing, .acceptAnyPixels) == (3, nil))
    }
  }

  @Test("Frames are decoded at the target size")
  func target() throws {
    let options = DecodingOptions(target: ResizeTarget(width: 2, height: nil))

    #expect(
      try AnimationReader.frames(of: Files.bytes("animated.png"), options).map(\.image.width) == [2, 2])
  }

  #if os(Linux)
    @Test("A worker process decodes the same frames")
    func isolated() throws {
      let bytes = APNGFile.sample().bytes
      let reader = try IsolatedImageDecoder().animation(bytes)
      var found: [AnimationFrame] = []
      while let frame = try reader.next() { found.append(frame) }

      #expect(found == (try AnimationReader.frames(of: bytes)))
      #expect(reader.plays == 2)
    }
  #endif
}
