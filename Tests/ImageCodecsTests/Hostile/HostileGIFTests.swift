import ImageCodecs
import Testing

@Suite("Hostile GIF")
struct HostileGIFTests {
  /// One pixel of the second color, on a canvas of 2 × 2, and what can be wrong with it.
  private struct File {
    var canvas = [2, 2]
    var frame = [0, 0, 1, 1]
    var minimumCodeSize: UInt8 = 2
    /// Clear, one, end.
    var codes: [UInt8] = [0b01_001_100, 0b1]
    var frames = 1
    var delay = 0
    var end: [UInt8] = [0x3B]

    var bytes: [UInt8] {
      var file = Array("GIF89a".utf8)
      for side in canvas { file += little(side, count: 2) }
      file += [0x80, 0, 0] + [0, 0, 0, 200, 100, 50]
      for _ in 0..<frames {
        file += [0x21, 0xF9, 4, 0] + little(delay, count: 2) + [0, 0] + [0x2C]
        for number in frame { file += little(number, count: 2) }
        file += [0, minimumCodeSize, UInt8(codes.count)] + codes + [0]
      }
      return file + end
    }
  }

  @Test(
    "A GIF frame with a wrong size is corrupt or truncated",
    arguments: [[0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 3, 1], [65_535, 65_535, 65_535, 65_535]])
  func frames(area: [Int]) throws {
    let error = #expect(throws: ImageCodecError.self) {
      try ImageDecoder.decode(File(frame: area).bytes)
    }

    #expect(error?.kind == "corrupt" || error == .truncated)
  }

  @Test("A GIF with an impossible code size is corrupt", arguments: [0, 12, 255] as [UInt8])
  func codeSizes(size: UInt8) throws {
    #expect(throws: ImageCodecError.corrupt("invalid LZW code size")) {
      try ImageDecoder.decode(File(minimumCodeSize: size).bytes)
    }
  }

  @Test("A GIF without its trailer decodes completely")
  func noTrailer() throws {
    let part = try ImageDecoder.decodeAvailable(File(end: []).bytes)
    #expect(part.image.pixel(x: 0, y: 0) == Image.Pixel(red: 200, green: 100, blue: 50) && part.isComplete)
    #expect(try ImageDecoder.decode(File(end: []).bytes).pixel(x: 0, y: 0) == part.image.pixel(x: 0, y: 0))
  }

  @Test("A truncated GIF decodes its first rows")
  func partOfIt() throws {
    let bytes = try Files.bytes("still.gif")

    let part = try ImageDecoder.decodeAvailable(Array(bytes.prefix(bytes.count / 2)))

    #expect(!part.isComplete && part.image.size == PixelSize(width: 96, height: 72))
    #expect(part.image.pixel(x: 5, y: 2) == (try Files.image("still.gif")).pixel(x: 5, y: 2))
    #expect(part.image.pixel(x: 5, y: 70)?.alpha == 0)
  }

  @Test("A GIF that claims a huge or an empty canvas is refused")
  func hugeCanvas() throws {
    let error = #expect(throws: ImageCodecError.self) {
      try ImageDecoder.decode(File(canvas: [65_535, 65_535]).bytes)
    }

    #expect(error?.kind == "tooLarge")
    #expect(throws: ImageCodecError.corrupt("an empty image")) {
      try ImageDecoder.decode(File(canvas: [0, 5], frames: 0).bytes)
    }
  }

  @Test("A GIF with endless frames stops at the frame limit")
  func manyFrames() throws {
    let reader = try AnimationReader(File(frames: 1_500).bytes)
    var count = 0

    #expect(throws: ImageCodecError.limitExceeded(.frames(1_000))) {
      while let frame = try reader.next() {
        #expect(frame.duration == .milliseconds(100))
        count += 1
      }
    }
    #expect(count == 1_000)
  }

  @Test("A GIF without frames is corrupt")
  func noFrames() throws {
    #expect(throws: ImageCodecError.corrupt("no frame")) { try ImageDecoder.decode(File(frames: 0).bytes) }
  }

  @Test("A GIF with code size 0 or 1 ends in an error or an image", arguments: [0, 1] as [UInt8])
  func smallCodeSizes(size: UInt8) throws {
    let file = File(minimumCodeSize: size).bytes

    let size = (try? ImageDecoder.decodeAvailable(file))?.image.size
    #expect(size == nil || size == PixelSize(width: 2, height: 2))
  }

  @Test(
    "GIF codes beyond the dictionary or the frame end in an error or an image")
  func dictionary() throws {
    // Codes that are not there yet; codes without end.
    let files = [File(codes: [0b111_111_00, 0xFF]), File(codes: [UInt8](repeating: 0xFF, count: 200))]
    let overflowing = UncompressedFile.gif(64, 64).filter { $0 != 128 }

    for file in files.map(\.bytes) + [overflowing] {
      let image = try? ImageDecoder.decodeAvailable(file).image
      #expect(image == nil || image?.width == 2 || image?.width == 64)
      #expect((try? ImageDecoder.decode(file)) == nil || image != nil)
    }
  }

  @Test("A GIF with a comment of a megabyte decodes")
  func comment() throws {
    let blocks = [[UInt8]](repeating: [255] + [UInt8](repeating: 65, count: 255), count: 4_100).flatMap { $0 }
    var file = File().bytes
    file.insert(contentsOf: [0x21, 0xFE] + blocks + [0], at: 19)

    #expect(try ImageDecoder.decode(file) == ImageDecoder.decode(File().bytes))
  }
}
