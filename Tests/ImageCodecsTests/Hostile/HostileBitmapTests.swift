import ImageCodecs
import Testing

@Suite("Hostile BMP and ICO")
struct HostileBitmapTests {
  /// Two by two pixels of 24 bits, and what can be wrong with them.
  private struct File {
    var width = 2
    var height = 2
    var bits = 24
    var compression = 0
    var offset = 54
    var colors = 0
    var pixels: [UInt8] = [1, 2, 3, 4, 5, 6, 0, 0, 7, 8, 9, 10, 11, 12, 0, 0]

    var header: [UInt8] {
      little(
        (40, 4), (width, 4), (height, 4), (1, 2), (bits, 2), (compression, 4), (0, 12), (colors, 4), (0, 4))
    }

    var bytes: [UInt8] {
      Array("BM".utf8) + little((54 + pixels.count, 4), (0, 4), (offset, 4)) + header + pixels
    }

    func icon(pictures: Int = 1, offset: Int = 22, count: Int? = nil) -> [UInt8] {
      let content = header + pixels
      let head = little(
        (0, 2), (1, 2), (pictures, 2), (2, 1), (2, 1), (0, 2), (1, 2), (bits, 2), (count ?? content.count, 4),
        (offset, 4))
      return head + content
    }
  }

  private func expect(_ kind: String, _ file: [UInt8], _ location: SourceLocation = #_sourceLocation) {
    let error = #expect(throws: ImageCodecError.self, sourceLocation: location) {
      try ImageDecoder.decode(file)
    }
    #expect(error?.kind == kind, sourceLocation: location)
  }

  @Test("A BMP with a wrong size throws an error")
  func sizes() {
    expect("corrupt", File(width: 0).bytes)
    expect("corrupt", File(height: 0).bytes)
    expect("corrupt", File(width: -2).bytes)
    expect("corrupt", File(height: Int(Int32.min)).bytes)
    expect("tooLarge", File(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF).bytes)
    expect("tooLarge", File(width: 30_000, height: -30_000).bytes)
    #expect(throws: ImageCodecError.truncated) {
      try ImageDecoder.decode(File(width: 3_000, height: 3_000).bytes)
    }
  }

  @Test(
    "A BMP with a wrong pixel offset is corrupt or truncated",
    arguments: [1, 13, 60, 0x7FFF_FFFF, 0xFFFF_FFFF])
  func offsets(offset: Int) {
    let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(File(offset: offset).bytes) }

    #expect(error == .truncated || error?.kind == "corrupt")
  }

  @Test("A BMP with meaningless color masks decodes to some color")
  func masks() throws {
    for masks in [[0, 0, 0], [0xFFFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFFF], [0x8000_0001, 5, 0x00FF_00FF]] {
      let content = masks.flatMap { little($0, count: 4) } + [UInt8](repeating: 255, count: 16)

      let image = try ImageDecoder.decode(File(bits: 32, compression: 3, offset: 66, pixels: content).bytes)

      #expect(image.size == PixelSize(width: 2, height: 2))
      #expect(image.pixel(x: 0, y: 0)?.red == (masks[0] == 0 ? 0 : 255))
    }
  }

  @Test("An icon with a wrong directory is corrupt or truncated")
  func icons() throws {
    let mask: [UInt8] = [0b0100_0000, 0, 0, 0]
    let one = File(height: 2, pixels: [1, 2, 3, 4, 5, 6, 0, 0] + mask)
    let image = try ImageDecoder.decode(one.icon())
    #expect(image.pixel(x: 0, y: 0) == Image.Pixel(red: 3, green: 2, blue: 1))
    #expect(image.pixel(x: 1, y: 0)?.alpha == 0)

    expect("corrupt", one.icon(pictures: 0))
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(one.icon(pictures: 65_535)) }
    // However large the one picture is that there is.
    var large = one.icon(pictures: 9)
    large.replaceSubrange(6..<8, with: [0, 0])
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(large) }
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(one.icon(offset: 0xFFFF_FFF0)) }
    for count in [0, 1, 48, 0xFFFF_FFFF] { #expect(try ImageDecoder.decode(one.icon(count: count)) == image) }
    expect("corrupt", File(height: 3).icon())
    expect("corrupt", File(height: -2).icon())
    expect("tooLarge", File(width: 0x7FFF_FFFF, height: 0x7FFF_FFFE).icon())
  }
}
