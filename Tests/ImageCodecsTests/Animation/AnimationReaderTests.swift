import ImageCodecs
import Testing

@Suite("AnimationReader")
struct AnimationReaderTests {
  private func frames(_ bytes: [UInt8], _ options: DecodingOptions = DecodingOptions()) throws
    -> [AnimationFrame]
  {
    let reader = try AnimationReader(bytes, options: options)
    var frames: [AnimationFrame] = []
    while let frame = try reader.next() { frames.append(frame) }
    return frames
  }

  @Test("paints the frames of a GIF over each other, and takes them away again, like ImageMagick")
  func disposal() throws {
    let found = try frames(Files.bytes("disposed.gif"))

    #expect(found.count == 4)
    for (index, frame) in found.enumerated() {
      let expected = try Files.image("disposed-\(index).png")
      #expect(try frame.image.visibleLikeness(to: expected) == 99, "\(index)")
    }
    #expect(Set(found.map(\.duration)) == [.milliseconds(70)])
    #expect(try AnimationReader(Files.bytes("disposed.gif")).plays == 5)
  }

  @Test("shows the frames of a WebP, hasty ones for a tenth of a second")
  func webP() throws {
    let found = try frames(Files.bytes("animated.webp"))

    #expect(found.map(\.duration) == [.milliseconds(40), .milliseconds(80), .milliseconds(100)])
    for frame in found {
      #expect(try frame.image.visibleLikeness(to: Files.image("picture.png")) > 24)
    }
    #expect(try AnimationReader(Files.bytes("animated.webp")).plays == 2)
    #expect(
      try frames(Files.bytes("animated.webp"))[0].image.onPaper()
        == Files.image("animated.webp").onPaper())
  }

  @Test(
    "takes a still image for an animation of one frame",
    arguments: ["still.gif", "picture.png", "picture.avif"])
  func still(file: String) throws {
    let found = try frames(Files.bytes(file))

    #expect(found.count == 1)
    #expect(try found[0].image.onPaper() == Files.image(file).onPaper())
  }

  @Test("is used as its documentation says")
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
    "reads bytes from a buffer, and keeps what it needs of them",
    arguments: ["disposed.gif", "animated.webp"])
  func buffer(file: String) throws {
    var bytes = try Files.bytes(file)
    let expected = try frames(bytes)

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

  @Test("reads frames in the size that is wanted")
  func target() throws {
    let options = DecodingOptions(target: .fitting(20), scale: 2)

    let found = try frames(Files.bytes("animated.webp"), options)

    #expect(found.map(\.image.size) == [PixelSize](repeating: PixelSize(width: 20, height: 15), count: 3))
    #expect(found.allSatisfy { $0.image.scale == 2 })
  }

  @Test(
    "ends with an error where the file does, and with none after that",
    arguments: ["disposed.gif", "animated.webp"])
  func truncation(file: String) throws {
    let bytes = try Files.bytes(file)

    #expect(throws: ImageCodecError.truncated) { try frames(Array(bytes.dropLast(3))) }
  }

  @Test("reads no more frames than the limits allow")
  func frameLimit() throws {
    var options = DecodingOptions()
    options.limits.maximumFrames = 2
    let reader = try AnimationReader(Files.bytes("disposed.gif"), options: options)

    _ = try (reader.next(), reader.next())

    #expect(throws: ImageCodecError.limitExceeded(.frames(2))) { try reader.next() }
    #expect(try reader.next() == nil)
  }

  @Test("looks at its limits before it takes memory, and stops when nobody wants it")
  func limits() throws {
    for file in ["disposed.gif", "animated.webp"] {
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
