import ImageCodecs
import Testing

@Suite("Exif data")
struct ExifDataTests {
  @Test("The tags of all four directories are read in both byte orders", arguments: [true, false])
  func directories(isBigEndian: Bool) throws {
    let exif = try #require(ExifData(bytes: ExifFile.photograph(isBigEndian: isBigEndian).bytes))

    #expect(exif["Make"] == .text("Maker"))
    #expect(exif["ExposureTime"] == .fractions([Fraction(1, 250)]))
    #expect(exif["ExposureBiasValue"] == .fractions([Fraction(-2, 3)]))
    #expect(exif["GPSLatitudeRef"] == .text("S"))
    #expect(exif["GPSAltitudeRef"] == .integers([1]))
    #expect(exif["InteroperabilityIndex"] == .text("R03"))
    #expect(exif[ExifTag(.photo, 0x927C)] == .bytes(Array("secret notes".utf8)))
    #expect(Set(exif.tags.map(\.directory)) == Set(ExifTag.Directory.allCases))
  }

  @Test("Each type of number has its value")
  func types() throws {
    var file = ExifFile(isBigEndian: false)
    file.image = [
      .init(tag: 0xF001, type: 6, count: 2, bytes: [0xFF, 2]),
      .init(tag: 0xF002, type: 8, count: 1, bytes: little(-3, count: 2)),
      .init(tag: 0xF003, type: 9, count: 1, bytes: little(-70_000, count: 4)),
      .init(tag: 0xF004, type: 4, count: 1, bytes: little(0xFFFF_FFFF, count: 4)),
      .init(tag: 0xF005, type: 11, count: 1, bytes: little(Int(Float(1.5).bitPattern), count: 4)),
      .init(
        tag: 0xF006, type: 12, count: 1, bytes: little(Int(Double(-0.25).bitPattern >> 1) << 1, count: 8)),
      .init(tag: 0xF007, type: 99, count: 1, bytes: [1]),
    ]
    // The sign of the last number, which does not fit into a positive integer.
    file.image[5].bytes = (0..<8).map { UInt8(truncatingIfNeeded: Double(-0.25).bitPattern >> ($0 * 8)) }
    let exif = try #require(ExifData(bytes: file.bytes))

    #expect(exif[ExifTag(.image, 0xF001)] == .integers([-1, 2]))
    #expect(exif[ExifTag(.image, 0xF002)] == .integers([-3]))
    #expect(exif[ExifTag(.image, 0xF003)] == .integers([-70_000]))
    #expect(exif[ExifTag(.image, 0xF004)] == .integers([0xFFFF_FFFF]))
    #expect(exif[ExifTag(.image, 0xF005)] == .numbers([1.5]))
    #expect(exif[ExifTag(.image, 0xF006)] == .numbers([-0.25]))
    #expect(exif[ExifTag(.image, 0xF007)] == nil)
  }

  @Test("A directory that links to itself or to its parent is read once")
  func loops() throws {
    var file = ExifFile(isBigEndian: true)
    file.image = [file.text(0x010F, "Maker"), .init(tag: 0x8769, type: 4, count: 1, bytes: big(8, count: 4))]
    let exif = try #require(ExifData(bytes: file.bytes))

    #expect(exif.tags == [ExifTag(.image, 0x010F)])
  }

  @Test("A value outside of the data is left out, and those beside it are read")
  func outside() throws {
    var file = ExifFile(isBigEndian: true)
    file.image = [
      .init(tag: 0x010E, type: 2, count: 0x7FFF_FFFF, bytes: big(8, count: 4)),
      .init(tag: 0x010F, type: 2, count: 40, bytes: big(0xFFFF_FFF0, count: 4)), file.short(0x0112, 3),
    ]
    let exif = try #require(ExifData(bytes: file.bytes))

    #expect(exif.tags == [ExifTag(.image, 0x0112)])
  }

  @Test("Values together above four megabytes are left out")
  func amplification() throws {
    var file = ExifFile(isBigEndian: true)
    // All share the same bytes.
    file.image = (0..<200).map { .init(tag: 0xC000 + $0, type: 7, count: 60_000, bytes: big(100, count: 4)) }
    let exif = try #require(ExifData(bytes: file.bytes + [UInt8](repeating: 7, count: 70_000)))

    #expect(exif.tags.count == 69)
  }

  @Test("Exif data cut at any length is read or refused without a trap")
  func truncated() {
    let whole = ExifFile.photograph(isBigEndian: false).bytes
    let counts = (0...whole.count).map { ExifData(bytes: whole.prefix($0))?.tags.count ?? 0 }

    #expect(counts.last == 30)
    #expect(counts.first == 0)
  }

  @Test("A user comment is text of the encoding that it names")
  func userComment() throws {
    for isBigEndian in [true, false] {
      var file = ExifFile(isBigEndian: isBigEndian)
      let units = "Grüße".utf16.flatMap { file.number(Int($0), 2) }
      let content = Array("UNICODE\0".utf8) + units
      file.photo = [.init(tag: 0x9286, type: 7, count: content.count, bytes: content)]
      #expect(try #require(ExifData(bytes: file.bytes)).userComment == "Grüße")
    }
    var file = ExifFile()
    let content = Array("ASCII\0\0\0Hello".utf8)
    file.photo = [.init(tag: 0x9286, type: 7, count: content.count, bytes: content)]
    #expect(try #require(ExifData(bytes: file.bytes)).userComment == "Hello")
  }

  @Test("Names of tags lead to their numbers and back")
  func names() throws {
    #expect(ExifTag("FNumber") == ExifTag(.photo, 0x829D))
    #expect(ExifTag(.location, 0x0002).name == "GPSLatitude")
    #expect(ExifTag("Nothing") == nil)
    #expect(ExifTag(.image, 0x8769).name == nil)
  }

  @Test("Bytes that are no Exif data are refused", arguments: ["", "MM", "XX\0*", "MM\0+\0\0\0\u{8}"])
  func refused(text: String) {
    #expect(ExifData(bytes: Array(text.utf8))?.tags.isEmpty ?? true)
  }
}
