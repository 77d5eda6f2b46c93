/// The index of the multi-picture format (CIPA DC-007): a TIFF in an application segment of a JPEG, with the sizes and places
/// of all images in the file.
struct MultiPictureIndex {
  /// The beginning of the segment.
  static let name: StaticString = "MPF\0"

  /// The images besides the first one, in order. Those outside of the file are left out.
  let images: [ByteView]

  private static let entriesTag = 0xB002
  private static let maximumTags = 100
  /// Of the list, and not of images that are decoded.
  private static let maximumImages = 16

  /// - Parameter segment: The whole segment. It is a part of `file`.
  init?(_ segment: ByteView, in file: ByteView) {
    guard let tiff = segment.rest(from: 4), let start = tiff.offset(in: file),
      let reader = TIFFReader(tiff), let directory = reader.first,
      let field = reader.field(tag: Self.entriesTag, at: directory, most: Self.maximumTags),
      let list = reader.link(field)
    else { return nil }
    images = (1..<max(min(field.count / 16, Self.maximumImages), 1)).compactMap { index in
      guard let size = reader.number(list + index * 16 + 4, count: 4), size > 0,
        let place = reader.number(list + index * 16 + 8, count: 4), place > 0
      else { return nil }
      return file.slice(start + place, count: size)
    }
  }

  /// The size of a segment for two images.
  static let segmentByteCount = 90

  /// A segment for two images, from its marker on, which is at `position` of the first image.
  static func segment(at position: Int, mainByteCount: Int, secondByteCount: Int) -> [UInt8] {
    func big(_ value: Int, _ count: Int) -> [UInt8] { ByteView.bigEndian(value, count: count) }
    func tag(_ number: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      [UInt8](joining: big(number, 2), big(type, 2), big(count, 4), value)
    }
    let (undefined, long) = (7, 4)
    let tags = [
      tag(0xB000, undefined, 4, Array("0100".utf8)), tag(0xB001, long, 1, big(2, 4)),
      tag(entriesTag, undefined, 32, big(50, 4)),
    ]
    let isMainImage = 0x03_0000
    // Places are counted from the byte order of the index, behind the marker, the length and the name.
    let entries = [UInt8](
      joining: big(isMainImage, 4), big(mainByteCount, 4), big(0, 8), big(0, 4), big(secondByteCount, 4),
      big(mainByteCount - position - 8, 4), big(0, 4))
    let tiff = [UInt8](
      joining: Array("MM\0*".utf8), big(8, 4), big(tags.count, 2), tags.flatMap { $0 }, big(0, 4), entries)
    return [UInt8](joining: [0xFF, 0xE2], big(tiff.count + 6, 2), name.bytes, tiff)
  }
}
