import ImageCodecs
import Testing

/// Limits, durations and costs of animations, at both sides of each bound.
@Suite("Bounds of animations")
struct FrameBoundTests {
  /// How many bytes a pixel of the canvas needs beside it.
  private static let work = ["disposed.gif": 4, "animated.webp": 12, "animated.png": 12]

  @Test(
    "An animation is opened if its canvas and what composing needs are within the limits",
    arguments: work.keys.sorted())
  func limits(name: String) throws {
    let file = try Files.bytes(name)
    let size = try ImageDecoder.info(of: file).storedSize
    let pixels = size.width * size.height
    let work = pixels * (Self.work[name] ?? 0)
    func error(_ change: (inout DecodingLimits) -> Void) -> ImageCodecError? {
      var options = DecodingOptions()
      change(&options.limits)
      do throws(ImageCodecError) {
        _ = try AnimationReader(file, options: options)
        return nil
      } catch { return error }
    }
    func tooLarge(_ limit: DecodingLimits.Size) -> ImageCodecError {
      .tooLarge(width: size.width, height: size.height, limit: limit)
    }

    #expect(error { $0.maximumPixels = pixels } == nil)
    #expect(error { $0.maximumPixels = pixels - 1 } == tooLarge(.pixels(pixels - 1)))
    #expect(error { $0.maximumDecodedBytes = pixels * 4 } == nil)
    #expect(error { $0.maximumDecodedBytes = pixels * 4 - 1 } == tooLarge(.bytes(pixels * 4 - 1)))
    #expect(error { $0.maximumWorkingBytes = work } == nil)
    #expect(error { $0.maximumWorkingBytes = work - 1 } == .limitExceeded(.workingBytes(work - 1)))
    #expect(error { $0.maximumEncodedBytes = file.count } == nil)
    #expect(
      error { $0.maximumEncodedBytes = file.count - 1 } == .limitExceeded(.encodedBytes(file.count - 1)))
    #expect(
      try file.withUnsafeBytes { bytes in
        try AnimationReader(bytes).info == AnimationReader(file).info
      })
  }

  @Test("As many frames are shown as the limit says", arguments: work.keys.sorted())
  func frames(name: String) throws {
    let file = try Files.bytes(name)
    let all = try AnimationReader.frames(of: file)
    for most in [0, 1, all.count - 1, all.count] {
      var options = DecodingOptions(scale: 2)
      options.limits.maximumFrames = most
      let reader = try AnimationReader(file, options: options)
      var seen: [AnimationFrame] = []
      do throws(ImageCodecError) {
        while let frame = try reader.next() { seen.append(frame) }
        #expect(most == all.count)
      } catch {
        #expect(error == .limitExceeded(.frames(most)) && most < all.count)
      }
      #expect(try reader.next() == nil)
      #expect(
        seen.count == most
          && zip(seen, all).allSatisfy { $0.image.bytes == $1.image.bytes && $0.image.scale == 2 })
    }
  }

  @Test("Durations of ten milliseconds or less are a tenth of a second, in every format")
  func durations() throws {
    for (delay, expected) in [
      ((0, 100), 100_000), ((1, 100), 100_000), ((11, 1_000), 11_000), ((10, 1_000), 100_000),
      ((2, 100), 20_000),
      ((7, 0), 70_000), ((1, 0), 100_000), ((65_535, 1), 65_535_000_000), ((10_001, 65_535), 152_605),
    ] as [((Int, Int), Int)] {
      let file = APNGFile(frames: [.init(width: 4, height: 3, delay: delay)])
      #expect(
        try AnimationReader.frames(of: file.bytes).map(\.duration) == [.microseconds(expected)], "\(delay)")
    }
    let still = try AnimationReader.frames(of: Files.bytes("picture.png"))
    #expect(still.map(\.duration) == [.milliseconds(100)])
    #expect(try still.map(\.image) == [Files.image("picture.png")])
  }

  @Test(
    "A still image is an animation of one frame that plays once",
    arguments: ["baseline.jpg", "still.gif", "plain.bmp"])
  func stills(name: String) throws {
    let file = try Files.bytes(name)
    let reader = try AnimationReader(file)
    #expect(reader.plays == 1 && !reader.info.isAnimated)
    #expect(try reader.next()?.image.bytes.isEmpty == false && reader.next() == nil && reader.next() == nil)
    #expect(throws: ImageCodecError.truncated) {
      try AnimationReader.frames(of: Array(file.prefix(file.count / 2)))
    }
  }

  @Test("Frames of a PNG lie in their canvas, and their headers hold what they may")
  func headers() throws {
    typealias Frame = APNGFile.Frame
    func shown(_ frame: Frame) -> String {
      var whole = Frame()
      (whole.width, whole.height) = (4, 3)
      do throws(ImageCodecError) {
        return "\(try AnimationReader(APNGFile(frames: [whole, frame]).bytes).all().count)"
      } catch { return "\(error)" }
    }
    let outside = "\(ImageCodecError.corrupt("a frame outside of its canvas"))"
    let damaged = "\(ImageCodecError.corrupt("a damaged frame header"))"

    for (x, y) in [(0, 0), (2, 0), (0, 1), (2, 1)] { #expect(shown(Frame(x: x, y: y)) == "2") }
    #expect(shown(Frame(x: 3, y: 2, width: 1, height: 1)) == "2")
    for (x, y) in [(3, 0), (0, 2), (0x7FFF_FFFF, 0)] { #expect(shown(Frame(x: x, y: y)) == outside) }
    for (width, height) in [(5, 1), (1, 4)] { #expect(shown(Frame(width: width, height: height)) == outside) }
    for (width, height) in [(0, 1), (1, 0)] { #expect(shown(Frame(width: width, height: height)) == damaged) }
    for (disposal, blending, expected) in [(2, 1, "2"), (3, 0, damaged), (0, 2, damaged), (0, 255, damaged)] {
      #expect(shown(Frame(disposal: UInt8(disposal), blending: UInt8(blending))) == expected)
    }
  }

  @Test("The first frame of a WebP lies in its canvas, at its place, and has the size that is announced")
  func firstFrames() throws {
    let canvas = PixelSize(width: 7, height: 5)
    func file(_ frame: Image, x: Int, y: Int, announced: PixelSize? = nil) throws -> [UInt8] {
      WebPFile.animation(
        canvas: canvas, frame: try ImageEncoder.encode(frame, as: .losslessWebP), x: x, y: y,
        frameSize: announced ?? frame.size)
    }
    for (width, height, x, y) in [
      (7, 5, 0, 0), (3, 1, 4, 4), (1, 1, 6, 4), (3, 3, 2, 2), (5, 3, 2, 0), (7, 1, 0, 2),
    ] {
      let frame = try Samples.noise(width, height, .rgba8)
      let image = try ImageDecoder.decode(file(frame, x: x, y: y))
      #expect(image.size == canvas && image.pixelFormat == .rgba8)
      for row in 0..<5 {
        for column in 0..<7 {
          let expected = frame.pixel(x: column - x, y: row - y) ?? .clear
          let found = image.pixel(x: column, y: row)
          // Colors of transparent pixels are nobody's.
          #expect(
            found == expected || found?.alpha == 0 && expected.alpha == 0,
            "\(width) × \(height) at \(x), \(y)")
        }
      }
    }
    for (width, height, x, y) in [(3, 1, 6, 0), (1, 3, 0, 4), (8, 1, 0, 0), (1, 6, 0, 0)] {
      #expect(throws: ImageCodecError.corrupt("a frame outside of its canvas")) {
        try ImageDecoder.decode(file(Samples.noise(width, height, .rgba8), x: x, y: y))
      }
    }
    for (width, height) in [(3, 3), (2, 2)] {
      let file = try file(
        Samples.noise(3, 2, .rgba8), x: 0, y: 0, announced: PixelSize(width: width, height: height))
      #expect {
        try ImageDecoder.decode(file)
      } throws: {
        ($0 as? ImageCodecError)?.kind == "corrupt"
      }
    }
  }

  @Test("Costs of decoding are bytes for each pixel, by format")
  func costs() throws {
    for (name, each) in [
      ("animated.webp", 12), ("lossless.webp", 8), ("lossy.webp", 3), ("animated.png", 3), ("picture.png", 3),
      ("disposed.gif", 7), ("gray.jpg", nil), ("masked.ico", 12), ("plain.bmp", 3),
    ] as [(String, Int?)] {
      let file = try Files.bytes(name)
      let size = try ImageDecoder.info(of: file).storedSize
      let jpeg = (size.width / 8 * 8 + 8) * (size.height / 8 * 8 + 8) * 3
      #expect(
        try ImageDecoder.byteCost(of: file) == each.map { $0 * size.width * size.height } ?? jpeg, "\(name)")
    }
    // Coefficients of two bytes, of colors a quarter as many.
    let image = try Samples.picture(64, 48, .rgb8)
    let progressive = try ImageEncoder.encode(image, as: .jpeg(progressive: true))
    let decoded = 72 * 56 * 3
    #expect(try ImageDecoder.byteCost(of: progressive) == decoded + 64 * 48 * 3)
    #expect(try ImageDecoder.byteCost(of: ImageEncoder.encode(image, as: .jpeg())) == decoded)
  }
}

extension AnimationReader {
  fileprivate func all() throws(ImageCodecError) -> [AnimationFrame] {
    var frames: [AnimationFrame] = []
    while let frame = try next() { frames.append(frame) }
    return frames
  }
}
