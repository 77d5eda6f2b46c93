import ImageCodecs
import Testing

@Suite("Hostile PNG")
struct HostilePNGTests {
  @Test(
    "A PNG that claims a size beyond the limits is refused",
    arguments: [
      (0x7FFF_FFFF, 0x7FFF_FFFF), (0xFFFF_FFFF, 0xFFFF_FFFF), (60_000, 60_000), (32_767, 32_767),
      (1, 0x7FFF_FFFF),
    ])
  func claims(width: Int, height: Int) throws {
    let file = PNGFile.file(width, height, color: 2, rows: [[1, 2, 3]])

    let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file) }

    #expect(error?.kind == "tooLarge")
    #expect(try ImageDecoder.info(of: file).size == PixelSize(width: width, height: height))
  }

  @Test("A PNG without width or height is corrupt", arguments: [(0, 1), (1, 0), (0, 0)])
  func empty(width: Int, height: Int) {
    #expect(throws: ImageCodecError.corrupt("an empty image")) {
      try ImageDecoder.decode(PNGFile.file(width, height, color: 2, rows: []))
    }
  }

  @Test("A PNG with an impossible color type is corrupt")
  func colors() {
    for (depth, color) in [(8, 1), (8, 5), (8, 7), (3, 0), (16, 3), (4, 2), (1, 6), (0, 0), (255, 255)] {
      #expect(throws: ImageCodecError.corrupt("color type \(color) with \(depth) bits")) {
        try ImageDecoder.decode(
          PNGFile.file(1, 1, bitDepth: UInt8(depth), color: UInt8(color), rows: [[0]]))
      }
    }
  }

  @Test("A PNG with a wrong checksum of its header or data is corrupt")
  func checksums() throws {
    let image = try Samples.picture(4, 4, .rgb8)
    let file = try ImageEncoder.encode(image, as: .png)
    let data = try #require(file.positions(of: Array("IDAT".utf8)).first)

    for position in [20, data + 10, file.count - 13] {
      var broken = file
      broken[position] ^= 0x01

      let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(broken) }
      #expect(error?.kind == "corrupt", "\(position)")
    }
  }

  @Test("A PNG with missing or insufficient image data is corrupt")
  func missingData() {
    var nothing = PNGFile(width: 2, height: 2)
    nothing.end()
    var short = PNGFile(width: 2, height: 2)
    short.append("IDAT", Deflate.stored([0, 1, 2, 3, 4, 5, 6]))
    short.end()
    var garbage = PNGFile(width: 2, height: 2)
    garbage.append("IDAT", [1, 2, 3, 4, 5, 6, 7, 8])
    garbage.end()

    for file in [nothing, short, garbage] {
      let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file.bytes) }
      #expect(error?.kind == "corrupt")
    }
  }

  @Test("Image data beyond the last pixel of a PNG is ignored")
  func muchData() throws {
    var file = PNGFile(width: 1, height: 1, color: 0)
    file.append("IDAT", Deflate.bomb(ofZeros: 20 << 20))
    file.end()

    #expect(try ImageDecoder.decode(file.bytes).bytes == [0])
  }

  @Test("An unknown critical chunk is refused, and an unknown ancillary chunk is ignored")
  func unknownChunks() throws {
    let critical = PNGFile.file(1, 1, color: 0, before: [("ABCD", [1])], rows: [[5]])
    let ancillary = PNGFile.file(1, 1, color: 0, before: [("abCd", [1])], rows: [[5]])

    #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(critical) }
    #expect(try ImageDecoder.decode(ancillary).bytes == [5])
  }

  @Test("A PNG with compressed text chunks decodes")
  func text() throws {
    let bomb = Array("key".utf8) + [0, 0] + Deflate.bomb(ofZeros: 20 << 20)
    let texts = [(String, [UInt8])](repeating: ("zTXt", bomb), count: 20)

    #expect(try ImageDecoder.decode(PNGFile.file(1, 1, color: 0, before: texts, rows: [[5]])).bytes == [5])
  }

  @Test("A PNG without a valid palette is refused, and an oversized alpha table is accepted")
  func palettes() throws {
    let file = { (before: [(String, [UInt8])]) in
      PNGFile.file(2, 1, color: 3, before: before, rows: [[0, 200]])
    }

    #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file([])) }
    #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file([("PLTE", [1, 2])])) }
    let outOfRange = try ImageDecoder.decode(file([("PLTE", [9, 8, 7])]))
    #expect(outOfRange.pixel(x: 0, y: 0) == Image.Pixel(red: 9, green: 8, blue: 7))
    let longAlpha = try ImageDecoder.decode(
      file([("PLTE", [9, 8, 7]), ("tRNS", [UInt8](repeating: 1, count: 300))]))
    #expect(longAlpha.width == 2)
  }

  @Test("A PNG with a chunk that claims two gigabytes is truncated")
  func longChunk() {
    var file = PNGFile(width: 1, height: 1).bytes
    file += big(0x7FFF_FFFF, count: 4) + Array("IDAT".utf8) + [1, 2, 3]

    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(file) }
  }
}
