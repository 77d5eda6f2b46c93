import ImageCodecs
import Testing

@Suite("Bounds of Exif data")
struct ExifBoundsTests {
  /// Exif data of one directory, in which each value is stored as `values` says: in the entry, or anywhere.
  private func file(_ entries: [[UInt8]], isBigEndian: Bool = true, place: Int = 8, rest: [UInt8] = [])
    -> [UInt8]
  {
    let file = ExifFile(isBigEndian: isBigEndian)
    return Array((isBigEndian ? "MM" : "II").utf8) + file.number(42, 2) + file.number(place, 4)
      + [UInt8](repeating: 0, count: max(place - 8, 0)) + file.number(entries.count, 2)
      + entries.flatMap { $0 } + rest
  }

  private func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
    big(tag, count: 2) + big(type, count: 2) + big(count, count: 4) + value
  }

  private func numbers(_ file: [UInt8]) -> [UInt16]? { ExifData(bytes: file)?.tags.map(\.number) }

  @Test("A directory begins behind the header, and has at most a thousand entries")
  func directory() {
    let short = entry(1, 3, 1, [0, 5, 0, 0])
    #expect(numbers(file([short])) == [1] && numbers(file([short], place: 9)) == [1])
    var early = file([short])
    early.replaceSubrange(4..<8, with: big(7, count: 4))
    #expect(numbers(early) == [])
    for (count, read) in [(1_000, 1_000), (1_001, 1_000)] {
      let entries = (0..<count).map { entry($0, 3, 1, [0, 5, 0, 0]) }
      #expect(numbers(file(entries))?.count == read)
    }
    // The first of two fields with the same tag, and those before the end of the data.
    let both = file([short, entry(1, 3, 1, [0, 6, 0, 0]), entry(2, 3, 1, [0, 7, 0, 0])])
    #expect(ExifData(bytes: both)?[ExifTag(.image, 1)] == .integers([5]))
    #expect(numbers(Array(both.dropLast(2))) == [1, 2] && numbers(Array(both.dropLast(3))) == [1])
  }

  @Test("A value of up to four bytes is in its entry, and a longer one elsewhere in the data")
  func values() {
    let end = 8 + 2 + 12
    for (count, place, isRead) in [
      (4, 99, true), (5, end, true), (5, end + 1, false), (6, end, false), (0, end, false),
    ] {
      let found = numbers(file([entry(1, 7, count, big(place, count: 4))], rest: [1, 2, 3, 4, 5]))
      #expect(found == (isRead ? [1] : []), "\(count) at \(place)")
    }
  }

  @Test("A value has at most 65,536 bytes, and all have together at most four megabytes")
  func sizes() {
    let rest = [UInt8](repeating: 7, count: 65_544)
    for (type, size) in [(7, 1), (3, 2), (4, 4), (5, 8)] {
      for (count, isRead) in [(65_536 / size, true), (65_536 / size + 1, false)] {
        let found = numbers(file([entry(1, type, count, big(22, count: 4))], rest: rest))
        #expect(found == (isRead ? [1] : []), "\(type) \(count)")
      }
    }
    for (count, isLast) in [(63, true), (64, false)] {
      let large = (0..<count).map { entry($0, 7, 65_536, big(800, count: 4)) }
      let last = entry(900, 3, 1, [0, 5, 0, 0])
      let found = numbers(file(large + [last], rest: rest + rest))
      #expect(found?.count == count + (isLast ? 1 : 0))
    }
  }

  /// Of a type, the bytes of three numbers in order of their significance, and their value.
  private static let types: [(type: Int, numbers: [[UInt8]], value: ExifValue)] = [
    (1, [[1], [128], [255]], .integers([1, 128, 255])), (2, [[65], [66], [0]], .text("AB")),
    (3, [[1, 2], [128, 0], [255, 255]], .integers([258, 32_768, 65_535])),
    (4, [[0, 1, 2, 3], [128, 0, 0, 0], [255, 255, 255, 255]], .integers([66_051, 1 << 31, 0xFFFF_FFFF])),
    (6, [[1], [128], [255]], .integers([1, -128, -1])), (7, [[1], [128], [0]], .bytes([1, 128, 0])),
    (8, [[1, 2], [128, 0], [255, 255]], .integers([258, -32_768, -1])),
    (9, [[0, 1, 2, 3], [128, 0, 0, 0], [255, 255, 255, 254]], .integers([66_051, -(1 << 31), -2])),
    (11, [[0x3F, 0xC0, 0, 0], [0xBF, 0x80, 0, 0], [0, 0, 0, 0]], .numbers([1.5, -1, 0])),
    (
      12, [0x3FF8_0000_0000_0000, -0x4010_0000_0000_0000, 0].map { big($0, count: 8) },
      .numbers([1.5, -1, 0])
    ),
    (13, [[0, 1, 2, 3], [128, 0, 0, 0], [0, 0, 0, 9]], .integers([66_051, 1 << 31, 9])),
    (16, [1, 1 << 40, 7].map { big($0, count: 8) }, .integers([1, 1 << 40, 7])),
    (17, [-1, 1 << 40, -7].map { big($0, count: 8) }, .integers([-1, 1 << 40, -7])),
    (18, [3, 2, 1].map { big($0, count: 8) }, .integers([3, 2, 1])),
  ]

  @Test("Numbers of each type are read in both byte orders", arguments: types.indices, [true, false])
  func numbers(index: Int, isBigEndian: Bool) throws {
    let (type, numbers, value) = Self.types[index]
    var exif = ExifFile(isBigEndian: isBigEndian)
    exif.image = [
      .init(tag: 9, type: type, count: 3, bytes: numbers.flatMap { isBigEndian ? $0 : $0.reversed() })
    ]

    #expect(try #require(ExifData(bytes: exif.bytes))[ExifTag(.image, 9)] == value)
  }

  @Test("Fractions have a sign or not, and an unknown type has no value", arguments: [true, false])
  func fractions(isBigEndian: Bool) throws {
    var exif = ExifFile(isBigEndian: isBigEndian)
    exif.image = [
      exif.fractions(1, [(1, 2), (-3, -4)]), exif.fractions(2, [(1, 2), (-3, 4)], isSigned: true),
      .init(tag: 3, type: 0, count: 1, bytes: [1]), .init(tag: 4, type: 14, count: 1, bytes: [1]),
      .init(tag: 5, type: 19, count: 1, bytes: [1]),
    ]
    let data = try #require(ExifData(bytes: exif.bytes))

    #expect(data[ExifTag(.image, 1)] == .fractions([Fraction(1, 2), Fraction(0xFFFF_FFFD, 0xFFFF_FFFC)]))
    #expect(data[ExifTag(.image, 2)] == .fractions([Fraction(1, 2), Fraction(-3, 4)]))
    #expect(data.tags.map(\.number) == [1, 2])
    #expect(
      Fraction(1, 0).value == nil && Fraction(3, 2).value == 1.5 && Fraction(-3, 2).description == "-3/2")
  }

  @Test("Tags are sorted by directory and number")
  func order() throws {
    var exif = ExifFile()
    exif.image = [exif.short(0x0112, 1), exif.short(0x0100, 1)]
    exif.photo = [exif.short(0x9209, 1), exif.short(0x8827, 1)]
    exif.position = [exif.short(0x001D, 1), exif.short(0, 1)]
    exif.interoperability = [exif.short(2, 1), exif.short(1, 1)]

    let expected: [ExifTag] = [
      ExifTag(.image, 0x0100), ExifTag(.image, 0x0112), ExifTag(.photo, 0x8827), ExifTag(.photo, 0x9209),
      ExifTag(.location, 0),
      ExifTag(.location, 0x001D), ExifTag(.interoperability, 1), ExifTag(.interoperability, 2),
    ]
    #expect(try #require(ExifData(bytes: exif.bytes)).tags == expected)
    let names = ["GPSVersionID", "GPSLatitudeRef", "InteroperabilityIndex", "InteroperabilityVersion"]
    #expect(
      names.map { ExifTag($0) } == [ExifTag(.location, 0), ExifTag(.location, 1), expected[6], expected[7]])
    #expect(names.map { ExifTag($0)?.name } == names && ExifTag(.image, 0x0100).name == nil)
  }

  @Test("The fields of a large TIFF have counts and places of eight bytes", arguments: [true, false])
  func largeTIFF(isBigEndian: Bool) throws {
    var file = TIFFFile()
    (file.isBigEndian, file.isLarge, file.profile) = (isBigEndian, true, Profiles.minimal("GRAY"))
    let bytes = file.bytes
    let metadata = try ImageMetadata(of: bytes)
    let exif = try #require(metadata.exif)

    #expect(exif[ExifTag(.image, 256)] == .integers([9]) && exif[ExifTag(.image, 277)] == .integers([1]))
    #expect(
      exif[ExifTag(.image, 279)] == .integers([27, 27, 9])
        && exif[ExifTag(.image, 273)] == .integers([16, 44, 72]))
    #expect(
      exif[ExifTag(.image, 34_675)] == .bytes(file.profile) && metadata.colorProfile?.bytes == file.profile)
    #expect(ExifData(bytes: bytes)?.tags == exif.tags)
    // A place beyond every file, which ends like one within it.
    let tag = isBigEndian ? big(34_675, count: 2) : little(34_675, count: 2)
    let entry = try #require(bytes.positions(of: tag).last)
    for place in 0..<4 {
      var wild = bytes
      wild[entry + 12 + (isBigEndian ? place : 7 - place)] = 1
      #expect(ExifData(bytes: wild)?[ExifTag(.image, 34_675)] == nil)
    }
  }

  @Test("A comment of a user has a prefix of eight bytes, and may be in several encodings")
  func comments() throws {
    func comment(_ content: [UInt8], isBigEndian: Bool = true) -> String? {
      var file = ExifFile(isBigEndian: isBigEndian)
      file.photo = [.init(tag: 0x9286, type: 7, count: content.count, bytes: content)]
      return ExifData(bytes: file.bytes)?.userComment
    }
    let ascii = Array("ASCII\0\0\0".utf8)
    #expect(comment(ascii) == nil && comment(ascii + [65]) == "A" && comment(ascii + [65, 0, 66]) == "A")
    #expect(
      comment(ascii + [0xE4]) == "ä" && comment([UInt8](repeating: 0, count: 8) + [0xC3, 0xA4, 32]) == "ä")
    #expect(comment(Array("JIS\0\0\0\0\0".utf8) + [65]) == nil)
    #expect(comment(Array("UNICODE\0".utf8) + [0, 65, 1, 66, 0], isBigEndian: true) == "A\u{142}")
    #expect(comment(Array("UNICODE\0".utf8) + [65, 0, 66, 1], isBigEndian: false) == "A\u{142}")
    #expect(comment(Array("UNICODE\0".utf8) + [65]) == nil)
    #expect(comment(Array("UNICODE0".utf8) + [0, 65]) == nil && comment([65]) == nil)
  }
}
