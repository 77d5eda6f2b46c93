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

/// Reads the directories of Exif data.
private struct ExifReader {
  private let bytes: ByteView
  let isBigEndian: Bool
  /// The size of counts and offsets: 8 in BigTIFF.
  private let wide: Int
  private var room = 4 << 20
  private var visited: Set<Int> = []
  private(set) var fields: [ExifTag: ExifField] = [:]

  private static let maximumEntries = 1_000
  private static let maximumValueBytes = 64 << 10

  init?(_ bytes: ByteView) {
    self.bytes = bytes
    isBigEndian = bytes.holds("MM", at: 0)
    guard isBigEndian || bytes.holds("II", at: 0) else { return nil }
    switch isBigEndian ? bytes.big(2, count: 2) : bytes.little(2, count: 2) {
    case 42: wide = 4
    case 43: wide = 8
    default: return nil
    }
    if let first = number(wide, wide) { read(first, as: .image) }
  }

  var result: (isBigEndian: Bool, fields: [ExifTag: ExifField]) { (isBigEndian, fields) }

  private mutating func read(_ start: Int, as directory: ExifTag.Directory) {
    let countLength = wide == 8 ? 8 : 2
    guard start >= 8, visited.insert(start).inserted, let count = number(start, countLength) else { return }
    for index in 0..<min(count, Self.maximumEntries) {
      let entry = start + countLength + index * (4 + wide * 2)
      guard let tag = number(entry, 2), let type = number(entry + 2, 2), let count = number(entry + 4, wide)
      else { return }
      let link = ExifTag.links.first { $0.from == directory && Int($0.number) == tag }
      if let link {
        if let place = number(entry + 4 + wide, wide) { read(place, as: link.to) }
      } else if let bytes = value(type, count, at: entry + 4 + wide) {
        let tag = ExifTag(directory, UInt16(tag))
        if fields[tag] == nil { fields[tag] = ExifField(type: type, bytes: bytes) }
      }
    }
  }

  private mutating func value(_ type: Int, _ count: Int, at place: Int) -> [UInt8]? {
    let size = ExifField.size(ofType: type)
    guard size > 0, count > 0, count <= Self.maximumValueBytes / size else { return nil }
    let length = size * count
    let start = length <= wide ? place : number(place, wide)
    guard length <= room, let start, let part = bytes.slice(start, count: length) else { return nil }
    room -= length
    return part.array
  }

  /// Numbers of eight bytes that exceed every file are `nil`.
  private func number(_ offset: Int, _ count: Int) -> Int? {
    guard count == 8 else {
      return isBigEndian ? bytes.big(offset, count: count) : bytes.little(offset, count: count)
    }
    let (high, low) = isBigEndian ? (offset, offset + 4) : (offset + 4, offset)
    guard number(high, 4) == 0 else { return nil }
    return number(low, 4)
  }
}
