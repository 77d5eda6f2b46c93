import ImageCodecs
import Testing

@Suite("Written Exif data")
struct ExifWritingTests {
  private typealias Field = ExifFile.Entry

  /// Exif data as it is to be written: values are behind their directory, in the order of tags, and so are the directories that it
  /// links to.
  private func expected(_ file: ExifFile) -> [UInt8] {
    var bytes = Array((file.isBigEndian ? "MM" : "II").utf8) + file.number(42, 2) + file.number(8, 4)
    func append(_ fields: [Field], _ links: [(tag: Int, fields: [Field])]) {
      var all: [(tag: Int, field: Field?)] = links.map { (tag: $0.tag, field: nil) }
      for field in fields { all.append((tag: field.tag, field: field)) }
      all.sort { $0.tag < $1.tag }
      bytes += file.number(all.count, 2)
      let start = bytes.count
      bytes += [UInt8](repeating: 0, count: all.count * 12 + 4)
      for (index, (tag, field)) in all.enumerated() {
        var value = file.number(bytes.count, 4)
        if let field, field.bytes.count <= 4 {
          value = field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
        } else if let field {
          bytes += field.bytes + (field.bytes.count % 2 == 1 ? [0] : [])
        } else {
          append(links.first { $0.tag == tag }?.fields ?? [], [])
        }
        let head = file.number(tag, 2) + file.number(field?.type ?? 4, 2) + file.number(field?.count ?? 1, 4)
        bytes.replaceSubrange(start + index * 12..<start + index * 12 + 12, with: head + value)
      }
    }
    let links = [(0x8769, file.photo), (0x8825, file.position)].filter { !$0.1.isEmpty }
    append(file.image, links.map { (tag: $0.0, fields: $0.1) })
    return bytes
  }

  /// What is written of a file for an image of 5 × 3 pixels.
  private func written(_ file: ExifFile, _ kept: KeptMetadata, isSRGB: Bool = true) throws -> [UInt8]? {
    var metadata = ImageMetadata()
    metadata.exif = ExifData(bytes: file.bytes)
    var image = try Samples.picture(5, 3, .rgb8)
    if !isSRGB { image.colorSpace = .profile(try #require(.displayP3)) }
    return try ImageMetadata(of: ImageEncoder.encode(image, as: .png, keeping: kept, of: metadata)).exif?
      .bytes
  }

  /// What is added to all files.
  private func complete(_ file: ExifFile, hasResolution: Bool = false, isSRGB: Bool = true) -> ExifFile {
    var file = file
    file.image += [file.short(0x0112, 1), file.short(0x0213, 1)]
    if !hasResolution {
      file.image += [
        file.fractions(0x011A, [(72, 1)]), file.fractions(0x011B, [(72, 1)]), file.short(0x0128, 2),
      ]
    }
    file.photo += [
      .init(tag: 0xA002, type: 4, count: 1, bytes: file.number(5, 4)),
      .init(tag: 0xA003, type: 4, count: 1, bytes: file.number(3, 4)),
      file.short(0xA001, isSRGB ? 1 : 0xFFFF), .init(tag: 0x9101, type: 7, count: 4, bytes: [1, 2, 3, 0]),
      .init(tag: 0x9000, type: 7, count: 4, bytes: Array("0232".utf8)),
      .init(tag: 0xA000, type: 7, count: 4, bytes: Array("0100".utf8)),
    ]
    return file
  }

  @Test(
    "Directories and values are written in order, at even places, in the byte order of the original",
    arguments: [true, false])
  func bytes(isBigEndian: Bool) throws {
    var file = ExifFile(isBigEndian: isBigEndian)
    file.image = [
      file.text(0x010F, "abc"), file.text(0x0110, "abcd"), file.text(0x013B, "Ada"),
      file.text(0x8298, "odd number"),
    ]
    file.photo = [file.fractions(0x829A, [(1, 250)]), file.short(0x8827, 400), file.text(0xA434, "50 mm")]
    file.position = [file.text(1, "N"), file.fractions(2, [(1, 1), (2, 1), (3, 1)])]

    var all = complete(file)
    all.position.append(.init(tag: 0, type: 1, count: 4, bytes: [2, 3, 0, 0]))
    all.position.sort { $0.tag < $1.tag }
    #expect(try written(file, [.all, .location]) == expected(all))
    all.position = []
    #expect(try written(file, .all) == expected(all))
    let rights = ExifFile(isBigEndian: isBigEndian, image: Array(file.image.suffix(2)))
    #expect(try written(file, .copyright) == expected(complete(rights)))
    #expect(try written(file, .copyright, isSRGB: false) == expected(complete(rights, isSRGB: false)))
    #expect(
      try written(ExifFile(isBigEndian: isBigEndian, image: Array(file.image.prefix(2))), .copyright) == nil)
  }

  @Test("A position alone is written with its version, which is not replaced")
  func position() throws {
    var file = ExifFile()
    file.position = [.init(tag: 0, type: 1, count: 4, bytes: [2, 2, 0, 0]), file.text(1, "N")]
    #expect(try written(file, .location) == expected(complete(file)))
    #expect(try written(file, .all) == nil)
  }

  @Test("Versions and resolutions are kept, and a part of a resolution is not")
  func resolution() throws {
    var file = ExifFile()
    file.photo = [
      .init(tag: 0x9000, type: 7, count: 4, bytes: Array("0231".utf8)),
      .init(tag: 0xA000, type: 7, count: 4, bytes: Array("0101".utf8)),
    ]
    let resolution = [
      file.fractions(0x011A, [(300, 1)]), file.fractions(0x011B, [(301, 1)]), file.short(0x0128, 3),
    ]
    file.image = resolution
    var all = complete(file, hasResolution: true)
    all.photo.removeLast(2)
    #expect(try written(file, .descriptions) == expected(all))
    for missing in 0..<3 {
      var part = file
      part.image.remove(at: missing)
      var standard = complete(ExifFile(photo: file.photo))
      standard.photo.removeLast(2)
      #expect(try written(part, .descriptions) == expected(standard), "\(missing)")
    }
  }

  @Test("Tags that no longer apply, without a name, or of a type beyond the standard are left out")
  func dropped() throws {
    let names = [
      "MakerNote", "CompressedBitsPerPixel", "RelatedSoundFile", "SubjectArea", "SubjectLocation",
      "FocalPlaneXResolution",
      "FocalPlaneYResolution", "FocalPlaneResolutionUnit",
    ]
    var file = ExifFile()
    file.photo =
      try names.map { file.short(Int(try #require(ExifTag($0)).number), 7) } + [file.short(0xF000, 7)]
    file.image = [file.short(0xF000, 7), .init(tag: 0x010E, type: 13, count: 1, bytes: big(7, count: 4))]
    file.interoperability = [file.text(1, "R98")]
    #expect(try written(file, [.all, .location]) == nil)
    // Those of the standard end with the type 12.
    var kept = ExifFile()
    kept.image = [.init(tag: 0x010E, type: 12, count: 1, bytes: big(0, count: 8))]
    file.image[1] = kept.image[0]
    #expect(try written(file, [.all, .location]) == expected(complete(kept)))
  }
}
