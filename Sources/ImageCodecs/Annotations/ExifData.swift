/// Exif data: directories of tags in the form of a TIFF.
///
/// Of damaged data, the tags are read that are within its bounds. Directories that a link leads to for a second time, values above 64
/// KiB, and values together above 4 MiB are left out.
public struct ExifData: Sendable, Hashable {
  /// All bytes as stored, from the byte order on, with maker notes and thumbnails. Empty for a TIFF, whose pixels would be part of
  /// them.
  public let bytes: [UInt8]

  let isBigEndian: Bool
  /// The fields that can be read.
  var fields: [ExifTag: ExifField]

  /// `nil` unless the bytes begin as Exif data does, with or without the prefix that JPEG has before it.
  public init?(bytes: some Collection<UInt8>) {
    let bytes = Array(
      bytes.starts(with: Self.prefix) ? Array(bytes.dropFirst(Self.prefix.count)) : Array(bytes))
    let reader = bytes.withUnsafeBufferPointer { ExifReader(ByteView(UnsafeRawBufferPointer($0)))?.result }
    guard let reader else { return nil }
    (self.bytes, isBigEndian, fields) = (bytes, reader.isBigEndian, reader.fields)
  }

  /// Of a TIFF file.
  init?(tiff: ByteView) {
    guard let reader = ExifReader(tiff)?.result else { return nil }
    (bytes, isBigEndian, fields) = ([], reader.isBigEndian, reader.fields)
  }

  /// Of fields that will be written.
  init(isBigEndian: Bool, fields: [ExifTag: ExifField]) {
    (bytes, self.isBigEndian, self.fields) = ([], isBigEndian, fields)
  }

  /// The beginning in a JPEG.
  static let prefix = Array("Exif\0\0".utf8)

  /// The tags, by directory and number.
  public var tags: [ExifTag] {
    let order = ExifTag.Directory.allCases
    return fields.keys.sorted {
      let (left, right) = (order.firstIndex(of: $0.directory) ?? 0, order.firstIndex(of: $1.directory) ?? 0)
      return (left, $0.number) < (right, $1.number)
    }
  }

  /// The value of a tag; `nil` if it is missing, or of a type that is not known.
  public subscript(tag: ExifTag) -> ExifValue? { fields[tag]?.value(isBigEndian: isBigEndian) }

  /// The value of a tag by its ``ExifTag/name``.
  public subscript(name: String) -> ExifValue? { ExifTag(name).flatMap { self[$0] } }

  /// The value of `UserComment` as text: ASCII, UTF-8 or UTF-16, as its first eight bytes say.
  public var userComment: String? {
    guard case .bytes(let all)? = self["UserComment"], all.count > 8 else { return nil }
    let content = all.dropFirst(8)
    guard all.starts(with: "UNICODE\0".utf8) else {
      return all.starts(with: "JIS".utf8) ? nil : String(latinOrUTF8: content.prefix { $0 != 0 }).trimmed
    }
    return String(decoding: units(content), as: UTF16.self).trimmed
  }

  private func units(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
    stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
  }
}

/// The fields of all directories of Exif data.
private struct ExifReader {
  private let reader: TIFFReader
  private var room = 4 << 20
  private var visited: Set<Int> = []
  private var fields: [ExifTag: ExifField] = [:]

  private static let maximumValueBytes = 64 << 10

  init?(_ bytes: ByteView) {
    guard let reader = TIFFReader(bytes) else { return nil }
    self.reader = reader
    if let first = reader.first { read(first, as: .image) }
  }

  var result: (isBigEndian: Bool, fields: [ExifTag: ExifField]) { (reader.isBigEndian, fields) }

  private mutating func read(_ start: Int, as directory: ExifTag.Directory) {
    guard start >= 8, visited.insert(start).inserted else { return }
    for field in reader.fields(at: start) {
      if let link = ExifTag.links.first(where: { $0.from == directory && Int($0.number) == field.tag }) {
        if let place = reader.link(field) { read(place, as: link.to) }
      } else if let bytes = value(field) {
        let tag = ExifTag(directory, UInt16(field.tag))
        if fields[tag] == nil { fields[tag] = ExifField(type: field.type, bytes: bytes) }
      }
    }
  }

  private mutating func value(_ field: TIFFReader.Field) -> [UInt8]? {
    guard field.count > 0, let part = reader.stored(field), part.count <= min(Self.maximumValueBytes, room)
    else { return nil }
    room -= part.count
    return part.array
  }
}
