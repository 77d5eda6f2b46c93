import ImageCodecs
import Testing

@Suite("WebP decoding")
struct WebPDecodingTests {
  @Test(
    "The first frame of an animated WebP is placed at its offset on the canvas",
    arguments: [ImageEncoder.Encoding.losslessWebP, .webp(quality: 1)])
  func animation(encoding: ImageEncoder.Encoding) throws {
    let frame = try Samples.flat(4, 3, [10, 200, 30, 128])
    let canvas = PixelSize(width: 12, height: 9)
    let chunks = try ImageEncoder.encode(frame, as: encoding)
    let content = encoding == .losslessWebP ? chunks : withoutCanvas(chunks)
    let file = WebPFile.animation(canvas: canvas, frame: content, x: 6, y: 4, frameSize: frame.size)

    let image = try ImageDecoder.decode(file)

    #expect(try ImageDecoder.info(of: file).isAnimated)
    #expect(image.size == canvas)
    #expect(image.pixel(x: 5, y: 4)?.alpha == 0)
    #expect(image.pixel(x: 6, y: 3)?.alpha == 0)
    #expect(image.pixel(x: 10, y: 6)?.alpha == 0)
    let shown = try #require(image.pixel(x: 7, y: 5))
    #expect(abs(Int(shown.green) - 200) < 8 && shown.alpha == 128)
  }

  @Test("An animated WebP is resized like a still image")
  func animationResized() throws {
    let frame = try Samples.flat(64, 32, [10, 200, 30, 255])
    let file = WebPFile.animation(
      canvas: frame.size, frame: try ImageEncoder.encode(frame, as: .losslessWebP), x: 0, y: 0,
      frameSize: frame.size)

    let image = try ImageDecoder.decode(file, options: DecodingOptions(target: .fitting(16)))

    #expect(try image == Samples.flat(16, 8, [10, 200, 30, 255]))
  }

  @Test("A WebP frame outside the canvas throws `corrupt`")
  func frameOutside() throws {
    let frame = try Samples.flat(4, 3, [10, 200, 30, 128])
    let content = try ImageEncoder.encode(frame, as: .losslessWebP)
    let file = WebPFile.animation(
      canvas: PixelSize(width: 8, height: 8), frame: content, x: 6, y: 0, frameSize: frame.size)

    #expect(throws: ImageCodecError.corrupt("a frame outside of its canvas")) {
      try ImageDecoder.decode(file)
    }
  }

  @Test("A WebP frame of another size than its header claims throws `corrupt`")
  func frameSize() throws {
    let content = try ImageEncoder.encode(Samples.flat(4, 3, [10, 200, 30, 128]), as: .losslessWebP)
    let file = WebPFile.animation(
      canvas: PixelSize(width: 8, height: 8), frame: content, x: 0, y: 0,
      frameSize: PixelSize(width: 4, height: 4))

    let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file) }
    #expect(error?.kind == "corrupt")
  }

  @Test("A WebP canvas of another size than its image throws an error")
  func canvas() throws {
    let content = try ImageEncoder.encode(Samples.flat(4, 3, [10, 200, 30]), as: .losslessWebP)
    let file = WebPFile.riff(WebPFile.canvas(PixelSize(width: 4, height: 4), flags: 0) + content[12...])

    #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file) }
  }

  @Test("A WebP shorter than announced is truncated, and trailing bytes are ignored")
  func announcedSize() throws {
    let image = try Samples.flat(4, 3, [10, 200, 30])
    let file = try ImageEncoder.encode(image, as: .losslessWebP)
    let content = Array(file[12...])

    var options = DecodingOptions()
    options.limits.incomplete = .refuse
    let cut = WebPFile.riff(content, announcing: content.count + 100)
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(cut, options: options) }
    #expect(try ImageDecoder.decode(cut) == image)
    #expect(throws: ImageCodecError.self) {
      try ImageDecoder.decode(WebPFile.riff(content, announcing: 10))
    }
    #expect(try ImageDecoder.decode(file + [1, 2, 3]) == image)
  }

  /// Transparent lossy files come with a canvas of their own, which a frame has no place for.
  private func withoutCanvas(_ file: [UInt8]) -> [UInt8] { Array(file[..<12] + file[30...]) }

  @Test("A WebP with a wrong RIFF length throws an error")
  func containerLength() throws {
    let file = try ImageEncoder.encode(Samples.picture(20, 10, .rgb8), as: .losslessWebP)
    let claiming = { (length: Int) in Array(file[..<4]) + little(length, count: 4) + Array(file[8...]) }

    var options = DecodingOptions()
    options.limits.incomplete = .refuse
    for length in [file.count, 0x7FFF_FFFF, 0xFFFF_FFFF] {
      #expect(throws: ImageCodecError.truncated) {
        try ImageDecoder.decode(claiming(length), options: options)
      }
    }
    for length in [0, 4, 12, file.count / 2] {
      #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(claiming(length)) }
    }
    #expect(try ImageDecoder.decode(file + [1, 2, 3]) == ImageDecoder.decode(file))
  }

  @Test("Damaged WebP alpha data decodes, or throws `corrupt` or `truncated`")
  func damagedAlpha() throws {
    let file = try ImageEncoder.encode(Samples.picture(60, 40, .rgba8), as: .webp(quality: 0.5))
    let start = try #require(file.positions(of: Array("ALPH".utf8)).first) + 8
    let length = file[start - 4..<start].reversed().reduce(0) { $0 << 8 | Int($1) }
    var damaged = 0

    for position in start..<start + length {
      for byte: UInt8 in [0x00, 0xFF] {
        var bytes = file
        bytes[position] = byte
        for isStrict in [true, false] {
          let error = error(bytes, isStrict: isStrict)
          if error?.kind == "corrupt" { damaged += 1 }
          #expect(error == nil || error?.kind == "corrupt" || error == .truncated, "\(position)")
        }
      }
    }

    #expect(damaged > 0)
  }

  private func error(_ bytes: [UInt8], isStrict: Bool) -> ImageCodecError? {
    do throws(ImageCodecError) {
      _ = isStrict ? try ImageDecoder.decode(bytes) : try ImageDecoder.decodeAvailable(bytes).image
      return nil
    } catch {
      return error
    }
  }
}
