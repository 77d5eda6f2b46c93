import ImageCodecs
import Testing

@Suite("`AnimationReader`")
struct AnimationReaderTests {
  @Test("GIF frames are composited and disposed of like in ImageMagick")
  func disposal() throws {
    let found = try AnimationReader.frames(of: Files.bytes("disposed.gif"))

    #expect(found.count == 4)
    for (index, frame) in found.enumerated() {
      let expected = try Files.image("disposed-\(index).png")
      #expect(try frame.image.visibleLikeness(to: expected) == 99, "\(index)")
    }
    #expect(Set(found.map(\.duration)) == [.milliseconds(70)])
    #expect(try AnimationReader(Files.bytes("disposed.gif")).plays == 5)
  }

  @Test("An animated WebP plays its frames, and very short ones for 100 ms")
  func webP() throws {
    let found = try AnimationReader.frames(of: Files.bytes("animated.webp"))

    #expect(found.map(\.duration) == [.milliseconds(40), .milliseconds(80), .milliseconds(100)])
    for frame in found {
      #expect(try frame.image.visibleLikeness(to: Files.image("picture.png")) > 24)
    }
    #expect(try AnimationReader(Files.bytes("animated.webp")).plays == 2)
    #expect(
      try AnimationReader.frames(of: Files.bytes("animated.webp"))[0].image.onPaper()
        == Files.image("animated.webp").onPaper())
  }

  @Test(
    "A still image reads as an animation of one frame",
    arguments: ["still.gif", "picture.png", "picture.avif"])
  func still(file: String) throws {
    let found = try AnimationReader.frames(of: Files.bytes(file))

    #expect(found.count == 1)
    #expect(try found[0].image.onPaper() == Files.image(file).onPaper())
  }

  @Test("A still image that is decoded at a reduced size is an animation of one frame, too")
  func reducedStill() throws {
    let bytes = try ImageEncoder.encode(Samples.picture(200, 100, .rgb8), as: .jpeg())
    var small = DecodingOptions(target: .fitting(20))
    small.limits.maximumPixels = 10_000
    var oversize = DecodingOptions()
    oversize.limits.maximumPixels = 10_000
    oversize.limits.oversize = .downscale

    for options in [small, oversize] {
      let still = try ImageDecoder.decode(bytes, options: options)
      #expect(still.width < 200)
      #expect(try AnimationReader.frames(of: bytes, options).map(\.image) == [still])
    }
  }

  @Test("A still image is limited as an animation by the bytes that its own pixels take")
  func stillLimits() throws {
    let bytes = PNGFile.file(4, 1, color: 0, rows: [[1, 2, 3, 4]])
    var options = DecodingOptions()
    options.limits.maximumDecodedBytes = 4
    #expect(try AnimationReader.frames(of: bytes, options).map(\.image.bytes) == [[1, 2, 3, 4]])

    options.limits.maximumDecodedBytes = 3
    let reader = try AnimationReader(bytes, options: options)
    #expect(throws: ImageCodecError.tooLarge(width: 4, height: 1, limit: .bytes(3))) { try reader.next() }
  }

  @Test("The documentation's example of `AnimationReader` shows all frames")
  func documentation() throws {
    let bytes = try Files.bytes("animated.webp")
    var shown: [Duration] = []
    func show(_ image: Image, for duration: Duration) { shown.append(duration) }

    let reader = try AnimationReader(bytes)
    while let frame = try reader.next() {
      show(frame.image, for: frame.duration)
    }

    #expect(shown.count == 3)
  }

  @Test(
    "`AnimationReader` copies the bytes it needs from an unsafe buffer",
    arguments: ["disposed.gif", "animated.webp", "animated.png", "animated.avif"])
  func buffer(file: String) throws {
    var bytes = try Files.bytes(file)
    let expected = try AnimationReader.frames(of: bytes)

    let reader = try bytes.withUnsafeBytes { try AnimationReader($0) }
    bytes = []

    for frame in expected { #expect(try reader.next() == frame) }
    #expect(try reader.next() == nil)
    var options = DecodingOptions()
    options.limits.maximumEncodedBytes = 10
    #expect(throws: ImageCodecError.limitExceeded(.encodedBytes(10))) {
      try Files.bytes(file).withUnsafeBytes { try AnimationReader($0, options: options) }
    }
  }

  @Test("`AnimationReader` decodes frames at the target size")
  func target() throws {
    let options = DecodingOptions(target: .fitting(20), scale: 2)

    let found = try AnimationReader.frames(of: Files.bytes("animated.webp"), options)

    #expect(found.map(\.image.size) == [PixelSize](repeating: PixelSize(width: 20, height: 15), count: 3))
    #expect(found.allSatisfy { $0.image.scale == 2 })
  }

  @Test(
    "The EXIF orientation of an animated WebP turns its frames upright", arguments: ImageOrientation.allCases)
  func orientation(orientation: ImageOrientation) throws {
    let size = PixelSize(width: 12, height: 8)
    let still = try ImageEncoder.encode(Samples.noise(12, 8, .rgb8), as: .losslessWebP)
    let stored = WebPFile.animation(canvas: size, frame: still, x: 0, y: 0, frameSize: size)
    let exif = Exif.data(orientation: orientation.rawValue, bigEndian: true)
    var file = WebPFile.riff(stored[12...] + WebPFile.chunk("EXIF", exif))
    // Of the flags, the one for EXIF data.
    file[20] |= 0x08
    let target = DecodingOptions(target: ResizeTarget(width: 4, height: nil))

    let upright = try #require(try AnimationReader.frames(of: file).first).image

    #expect(try upright == #require(try AnimationReader.frames(of: stored).first).image.oriented(orientation))
    #expect(upright.size == orientation.upright(size))
    #expect(try AnimationReader.frames(of: file, target).map(\.image.width) == [4])
  }

  @Test(
    "The deadline applies to each frame separately", arguments: ["disposed.gif", "animated.webp"])
  func deadline(file: String) throws {
    let start = ContinuousClock.now
    var passed = Duration.zero
    let options = DecodingOptions()
    let reader = try AnimationReader(Files.bytes(file), options: options) { start + passed }

    for _ in 0..<3 {
      #expect(try reader.next() != nil)
      passed += options.limits.deadline
    }

    var asked = 0
    let slow = try AnimationReader(Files.bytes(file), options: options) {
      asked += 1
      return start + options.limits.deadline * asked
    }
    #expect(throws: ImageCodecError.deadlineExceeded) { try slow.next() }
  }

  @Test(
    "An animation that ends early throws `truncated`",
    arguments: ["disposed.gif", "animated.webp", "animated.avif"])
  func truncation(file: String) throws {
    let bytes = try Files.bytes(file)
    let whole = try AnimationReader.frames(of: bytes).map(\.image)
    for count in [bytes.count - 3, bytes.count / 2] {
      var seen: [Image] = []

      #expect(throws: ImageCodecError.truncated) {
        let reader = try AnimationReader(Array(bytes.prefix(count)), options: DecodingOptions())
        while let frame = try reader.next() { seen.append(frame.image) }
      }

      #expect(seen.count < whole.count)
      #expect(seen == Array(whole.prefix(seen.count)))
    }
  }

  @Test(
    "An animation whose sides exceed the limit is refused",
    arguments: ["disposed.gif", "animated.webp", "animated.png", "animated.avif"])
  func sides(file: String) throws {
    let bytes = try Files.bytes(file)
    let size = try ImageDecoder.info(of: bytes).storedSize
    var options = DecodingOptions(target: .fitting(4))

    options.limits.maximumSide = max(size.width, size.height)
    #expect(try AnimationReader(bytes, options: options).next() != nil)
    options.limits.maximumSide -= 1
    let limit = DecodingLimits.Size.side(options.limits.maximumSide)
    #expect(throws: ImageCodecError.tooLarge(width: size.width, height: size.height, limit: limit)) {
      try AnimationReader(bytes, options: options)
    }
  }

  @Test("An animation with too many pixels per byte is refused")
  func bombs() throws {
    let bytes = GIFFile(width: 8_000, height: 5_000).bytes
    var options = DecodingOptions()
    options.limits.maximumPixelsPerByte = 1_000

    #expect(throws: ImageCodecError.tooLarge(width: 8_000, height: 5_000, limit: .pixelsPerByte(1_000))) {
      try AnimationReader(bytes, options: options)
    }
  }

  @Test("`AnimationReader` enforces pixel and memory limits and stops when cancelled")
  func limits() throws {
    for file in ["disposed.gif", "animated.webp", "animated.png", "animated.avif"] {
      let bytes = try Files.bytes(file)
      var pixels = DecodingOptions()
      pixels.limits.maximumPixels = 1_000
      var work = DecodingOptions()
      work.limits.maximumWorkingBytes = 1_000

      #expect(throws: ImageCodecError.self) { try AnimationReader(bytes, options: pixels) }
      #expect(throws: ImageCodecError.limitExceeded(.workingBytes(1_000))) {
        try AnimationReader(bytes, options: work)
      }
      let cancelled = try AnimationReader(bytes, isCancelled: { true })
      #expect(throws: ImageCodecError.cancelled) { try cancelled.next() }
    }
  }
}
