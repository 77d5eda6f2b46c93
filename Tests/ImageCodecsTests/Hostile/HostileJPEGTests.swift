import ImageCodecs
import Testing

@Suite("Hostile JPEG")
struct HostileJPEGTests {
  @Test("A JPEG with an unsupported frame type is reported as unsupported")
  func unsupported() {
    for marker: UInt8 in [0xC3, 0xC5, 0xC6, 0xC7, 0xCB, 0xCD, 0xCE, 0xCF] {
      expectUnsupported(JPEGFile(frameMarker: marker))
    }
    expectUnsupported(JPEGFile(precision: 12))
    expectUnsupported(JPEGFile(levels: [1, 2]))
    expectUnsupported(JPEGFile(componentsInFrame: 200))
  }

  @Test("A JPEG with an invalid frame is corrupt")
  func frames() {
    expectCorrupt(JPEGFile(width: 0))
    expectCorrupt(JPEGFile(height: 0))
    expectCorrupt(JPEGFile(componentsInFrame: 0))
    for sampling: UInt8 in [0x00, 0x01, 0x10, 0xFF, 0x15] { expectCorrupt(JPEGFile(sampling: sampling)) }
    expectCorrupt(JPEGFile(beforeFrame: JPEGFile().frame))
    expectCorrupt(JPEGFile(afterScan: JPEGFile().frame))
  }

  @Test("A JPEG without valid tables is corrupt")
  func tables() {
    expectCorrupt(JPEGFile(hasQuantization: false))
    expectCorrupt(JPEGFile(dcCodeCounts: [4, 8] + [UInt8](repeating: 0, count: 14)))
    expectCorrupt(JPEGFile(dcCodeCounts: [UInt8](repeating: 255, count: 16)))
  }

  @Test("A JPEG with the largest dimensions is refused")
  func large() {
    #expect(throws: ImageCodecError.tooLarge(width: 65_500, height: 65_500, limit: .pixelsPerByte(5_000))) {
      try ImageDecoder.decode(JPEGFile(width: 65_500, height: 65_500).bytes)
    }
    // libjpeg refuses longer sides than these, although the file format has them.
    #expect(throws: ImageCodecError.tooLarge(width: 65_501, height: 8, limit: .side(65_500))) {
      try ImageDecoder.decode(JPEGFile(width: 65_501, height: 8).bytes)
    }
  }

  @Test("A JPEG without an end marker decodes if it has all pixels")
  func withoutEnd() throws {
    let file = JPEGFile(levels: [60], hasEnd: false).bytes

    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(Array(file.dropLast(2))) }
    let available = try ImageDecoder.decodeAvailable(file)
    #expect(available.isComplete)
    #expect(available.image.pixel(x: 0, y: 0)?.red == 60)
  }

  @Test("A JPEG that ends within its scan is corrupt despite its end marker")
  func holes() throws {
    let file = try ImageEncoder.encode(Samples.noise(64, 64, .gray8), as: .jpeg())
    let cut = Array(file.prefix(file.count / 2)) + [0xFF, 0xD9]

    let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(cut) }

    #expect(error?.kind == "corrupt")
    #expect(try !ImageDecoder.decodeAvailable(cut).isComplete)
  }

  @Test("A JPEG without a frame is corrupt, and one with an impossible length is truncated")
  func structure() {
    for file: [UInt8] in [
      [0xFF, 0xD8, 0xFF, 0xD9], [0xFF, 0xD8, 0xFF, 0xDA, 0, 2], [0xFF, 0xD8, 0xFF, 0xD8],
    ] {
      let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file) }
      #expect(error?.kind == "corrupt", "\(file)")
    }
    for file: [UInt8] in [[0xFF, 0xD8, 0xFF, 0xE0, 0, 0], [0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 5]] {
      #expect(throws: ImageCodecError.truncated, "\(file)") { try ImageDecoder.decode(file) }
    }
  }

  @Test("A JPEG with restart markers out of order throws an error")
  func restarts() throws {
    // Two blocks, each after a restart. Ten bytes are the header of the scan.
    var file = JPEGFile(width: 16, levels: [60], beforeFrame: JPEGFile.segment(0xDD, [0, 1]))
    let block = file.scan([0]).dropFirst(10)

    file.afterScan = [0xFF, 0xD0] + block
    let image = try ImageDecoder.decode(file.bytes)
    #expect([image.pixel(x: 0, y: 0)?.red, image.pixel(x: 15, y: 7)?.red] == [60, 60])

    for marker: UInt8 in 0xD1...0xD7 {
      file.afterScan = [0xFF, marker] + block
      #expect(throws: ImageCodecError.self, "\(marker)") { try ImageDecoder.decode(file.bytes) }
      #expect((try? ImageDecoder.decodeAvailable(file.bytes))?.isComplete != true)
    }
  }

  private func expectCorrupt(_ file: JPEGFile, _ location: SourceLocation = #_sourceLocation) {
    let error = #expect(throws: ImageCodecError.self, sourceLocation: location) {
      try ImageDecoder.decode(file.bytes)
    }
    #expect(error?.kind == "corrupt", sourceLocation: location)
  }

  private func expectUnsupported(_ file: JPEGFile, _ location: SourceLocation = #_sourceLocation) {
    let error = #expect(throws: ImageCodecError.self, sourceLocation: location) {
      try ImageDecoder.decode(file.bytes)
    }
    #expect(error?.kind == "unsupportedFeature", sourceLocation: location)
  }
}
