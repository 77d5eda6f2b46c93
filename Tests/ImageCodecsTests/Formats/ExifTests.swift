import ImageCodecs
import Testing

@Suite("EXIF orientation")
struct ExifTests {
  @Test(
    "The EXIF orientation is read in both byte orders and as any integer type",
    arguments: ImageOrientation.allCases, [true, false])
  func read(orientation: ImageOrientation, bigEndian: Bool) throws {
    for type in [3, 4, 9] {
      let exif = Exif.data(orientation: orientation.rawValue, bigEndian: bigEndian, type: type)

      #expect(try self.orientation(exif) == orientation)
    }
  }

  @Test("An EXIF orientation outside 1 to 8 means up", arguments: [0, 9, 255, 65_535])
  func outOfRange(value: Int) throws {
    for bigEndian in [true, false] {
      #expect(try orientation(Exif.data(orientation: value, bigEndian: bigEndian)) == .up)
    }
  }

  @Test("A negative EXIF orientation means up")
  func negative() throws {
    #expect(try orientation(Exif.data(orientation: -2, bigEndian: false, type: 9)) == .up)
  }

  @Test("An EXIF orientation of another type or count means up")
  func otherTypes() throws {
    #expect(try orientation(Exif.data(orientation: 6, bigEndian: true, type: 2)) == .up)
    #expect(try orientation(Exif.data(orientation: 6, bigEndian: true, count: 2)) == .up)
    #expect(try orientation(Exif.data(orientation: 6, bigEndian: true, count: 0xFFFF_FFFF)) == .up)
  }

  @Test("EXIF data cut before the orientation means up at every length")
  func truncated() throws {
    let exif = Exif.data(orientation: 6, bigEndian: true)
    let needed = 8 + 2 + 12 + 12

    for count in 0..<exif.count {
      let found = try orientation(Array(exif.prefix(count)))

      #expect(found == (count < needed - 2 ? .up : .right))
    }
  }

  @Test(
    "An EXIF directory offset outside the data means up", arguments: [0, 7, 1_000, 0x7FFF_FFFF, 0xFFFF_FFFF])
  func wildOffset(offset: Int) throws {
    var exif = Exif.data(orientation: 6, bigEndian: true)
    exif.replaceSubrange(4..<8, with: big(offset, count: 4))

    #expect(try orientation(exif) == .up)
  }

  @Test("A loop of EXIF directories ends and means up")
  func loop() throws {
    var exif = Exif.data(orientation: 9, bigEndian: true)
    exif.replaceSubrange(exif.count - 4..<exif.count, with: big(8, count: 4))

    #expect(try orientation(exif) == .up)
  }

  @Test("At most a thousand EXIF entries are read")
  func manyEntries() throws {
    let filler = big(0x0100, count: 2) + big(4, count: 2) + big(1, count: 4) + big(0, count: 4)
    let wanted = big(0x0112, count: 2) + big(3, count: 2) + big(1, count: 4) + big(6, count: 2) + [0, 0]
    let exif = { (before: Int) in
      Array("MM\0*".utf8) + big(8, count: 4) + big(0xFFFF, count: 2)
        + [[UInt8]](repeating: filler, count: before).flatMap { $0 } + wanted
    }

    #expect(try orientation(exif(999)) == .right)
    #expect(try orientation(exif(1_000)) == .up)
  }

  @Test("The orientation comes from the first EXIF segment")
  func twoSegments() throws {
    let file = JPEGFile().bytes.addingToJPEG(
      Exif.segment(Exif.data(orientation: 3, bigEndian: true))
        + Exif.segment(Exif.data(orientation: 6, bigEndian: true)))

    #expect(try ImageDecoder.info(of: file).orientation == .down)
  }

  @Test("The EXIF chunk of a PNG is used only if its checksum is correct")
  func checksum() throws {
    let plain = try ImageEncoder.encode(Samples.picture(4, 2, .rgb8), as: .png)
    var file = Exif.add(Exif.data(orientation: 6, bigEndian: true), toPNG: plain)
    #expect(try ImageDecoder.info(of: file).orientation == .right)

    file[33 + 8] ^= 1

    #expect(try ImageDecoder.info(of: file).orientation == .up)
    #expect(try ImageDecoder.decode(file).size == PixelSize(width: 4, height: 2))
  }

  private func orientation(_ exif: [UInt8]) throws -> ImageOrientation {
    try ImageDecoder.info(of: JPEGFile().bytes.addingToJPEG(Exif.segment(exif))).orientation
  }
}
