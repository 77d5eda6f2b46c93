import ImageCodecs
import Testing

@Suite("Hostile JPEG XL")
struct HostileJPEGXLTests {
  @Test("A header that claims the largest sides is refused before anything is decoded")
  func huge() throws {
    let side = 1 << 30
    let stream = JPEGXLStream.header(side, side, channels: 0)
    let file = stream.bytes + [UInt8](repeating: 0, count: 100)

    #expect(throws: ImageCodecError.tooLarge(width: side, height: side, limit: .side(65_535))) {
      var options = DecodingOptions()
      options.limits.maximumSide = 65_535
      _ = try ImageDecoder.decode(file, options: options)
    }
    #expect(try ImageDecoder.byteCost(of: file) == .max)
  }

  @Test("A header of thousands of channels ends where the file does")
  func channels() {
    var stream = JPEGXLStream.header(10, 10, channels: 4_096)
    for _ in 0..<20 { stream.writeChannel(1, nameLength: 1_071) }

    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.info(of: stream.bytes) }
  }

  @Test("Thousands of channels without pixels are an error")
  func emptyChannels() {
    var stream = JPEGXLStream.header(64, 64, channels: 4_096)
    for _ in 0..<4_096 { stream.writeChannel(1) }
    let file = stream.bytes + [UInt8](repeating: 0x5A, count: 5_000)

    #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file) }
  }

  @Test("An image of inks is refused by name")
  func inks() {
    var stream = JPEGXLStream.header(10, 10, channels: 1)
    stream.writeChannel(4)

    #expect(throws: ImageCodecError.unsupportedFeature("JPEG XL with inks (CMYK)")) {
      try ImageDecoder.decode(stream.bytes)
    }
  }

  @Test("A container without an image, or with something else in its place, is refused")
  func containers() throws {
    let picture = try Files.bytes("picture.jxl")
    let none = JPEGXLStream.file([("Exif", [0, 0, 0, 0])])
    let other = JPEGXLStream.file([("jxlc", try Files.bytes("baseline.jpg"))])
    let empty = JPEGXLStream.file([("jxlc", []), ("jxlp", []), ("jxlp", [0, 0, 0])])

    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(none) }
    #expect(throws: ImageCodecError.corrupt("no code stream in the container")) {
      try ImageDecoder.decode(other)
    }
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(empty) }
    #expect(try ImageDecoder.decode(JPEGXLStream.file([("jxlc", picture)])) == Files.image("picture.jxl"))
  }

  @Test("An image in parts of one byte is decoded, and one with parts in the wrong order is not")
  func parts() throws {
    let picture = try Files.bytes("picture.jxl")
    let isLast = 1 << 31
    let parts = picture.indices.map { index in
      ("jxlp", big(index == picture.count - 1 ? index | isLast : index, count: 4) + [picture[index]])
    }

    #expect(try ImageDecoder.decode(JPEGXLStream.file(parts)) == Files.image("picture.jxl"))
    #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(JPEGXLStream.file(parts.reversed())) }
  }

  @Test("Boxes with impossible lengths end the file")
  func lengths() throws {
    let picture = try Files.bytes("picture.jxl")
    let start = JPEGXLStream.container
    for length in [2, 7, 9, 0x7FFF_FFFF, 0xFFFF_FFFF] {
      let file = start + big(length, count: 4) + Array("free".utf8) + JPEGXLStream.box("jxlc", picture)
      #expect(throws: ImageCodecError.self, "\(length)") { try ImageDecoder.decode(file) }
    }
  }

  @Test("Thousands of empty boxes cost little")
  func boxes() throws {
    let picture = try Files.bytes("picture.jxl")
    let many = (0..<50_000).flatMap { _ in JPEGXLStream.box("free", []) }
    let file = JPEGXLStream.file([]) + many + JPEGXLStream.box("jxlc", picture)
    let start = ContinuousClock.now

    // The image is behind more boxes than are looked at.
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(file) }
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test("A compressed box that would grow without end is not decompressed")
  func compressedBox() throws {
    let picture = try Files.bytes("picture.jxl")
    let file = JPEGXLStream.file([
      ("brob", Array("Exif".utf8) + [UInt8](repeating: 0xFF, count: 1_000)), ("jxlc", picture),
    ])

    #expect(try ImageDecoder.decode(file) == Files.image("picture.jxl"))
    #expect(try ImageMetadata(of: file).exif == nil)
  }

  @Test("Data to make a JPEG that belong to no JPEG are an error, or none")
  func wrongReconstruction() throws {
    let picture = try Files.bytes("picture.jxl")
    let file = JPEGXLStream.file([("jbrd", [UInt8](repeating: 0xA5, count: 300)), ("jxlc", picture)])

    #expect((try? ImageDecoder.originalJPEG(of: file)).flatMap { $0 } == nil)
    #expect(try ImageDecoder.decode(file) == Files.image("picture.jxl"))
  }

  @Test("A file cut at any byte ends in `truncated`, or shows a part")
  func cuts() throws {
    for name in ["orientation-6.jxl", "transparent.jxl"] {
      let bytes = try Files.bytes(name)
      for end in stride(from: 40, to: bytes.count - 1, by: 37) {
        let part = Array(bytes.prefix(end))
        #expect(throws: ImageCodecError.truncated, "\(name) \(end)") { try ImageDecoder.decode(part) }
      }
    }
  }

  @Test("The memory that libjxl may take is limited before it starts")
  func memory() throws {
    var options = DecodingOptions()
    options.limits.maximumWorkingBytes = 40_000

    #expect(throws: ImageCodecError.limitExceeded(.workingBytes(40_000))) {
      try ImageDecoder.decode(Files.bytes("picture.jxl"), options: options)
    }
  }
}
