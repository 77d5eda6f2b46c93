/// Reads the directories of a TIFF, and of what is built like one: Exif data, and the index of images in a JPEG.
///
/// Numbers are in the byte order of the file. Counts and places have four bytes, or eight in BigTIFF.
struct TIFFReader {
  /// A field of a directory.
  struct Field {
    let tag: Int
    let type: Int
    /// 0 if it exceeds every file.
    let count: Int
    /// Where its value is, or else the place of a value that is too long for that.
    let position: Int
  }

  private let bytes: ByteView
  let isBigEndian: Bool
  /// The size of counts and places.
  private let wide: Int

  /// `nil` unless the bytes begin as a TIFF does.
  init?(_ bytes: ByteView) {
    self.bytes = bytes
    isBigEndian = bytes.holds("MM", at: 0)
    guard isBigEndian || bytes.holds("II", at: 0) else { return nil }
    switch isBigEndian ? bytes.big(2, count: 2) : bytes.little(2, count: 2) {
    case 42: wide = 4
    case 43: wide = 8
    default: return nil
    }
  }

  private var countLength: Int { wide == 8 ? 8 : 2 }
  private var fieldLength: Int { 4 + wide * 2 }

  /// The place of the first directory.
  var first: Int? { number(wide, count: wide) }

  /// The place of the directory behind another one.
  func next(after directory: Int) -> Int? {
    guard let count = number(directory, count: countLength) else { return nil }
    return number(directory + countLength + count * fieldLength, count: wide)
  }

  /// The fields of a directory, as far as they are there, and no more than a thousand.
  func fields(at directory: Int) -> [Field] {
    var fields: [Field] = []
    while fields.count < Self.maximumFields, let field = field(fields.count, at: directory) {
      fields.append(field)
    }
    return fields
  }

  /// The first field with this tag among these.
  func field(tag: Int, at directory: Int, most: Int = TIFFReader.maximumFields) -> Field? {
    for index in 0..<most {
      guard let field = field(index, at: directory) else { return nil }
      if field.tag == tag { return field }
    }
    return nil
  }

  static let maximumFields = 1_000

  private func field(_ index: Int, at directory: Int) -> Field? {
    let start = directory + countLength + index * fieldLength
    guard let count = number(directory, count: countLength), index < count,
      let tag = number(start, count: 2), let type = number(start + 2, count: 2),
      bytes.slice(start + 4, count: wide) != nil
    else { return nil }
    return Field(
      tag: tag, type: type, count: number(start + 4, count: wide) ?? 0, position: start + 4 + wide)
  }

  /// All fields of the first directory of a file; `nil` if the file ends before them.
  func wholeDirectory() throws(ImageCodecError) -> [Field]? {
    if wide == 8, number(4, count: 4) != (isBigEndian ? 8 << 16 : 8) {
      guard bytes.count >= 8 else { return nil }
      throw .corrupt("offsets of an unknown size")
    }
    guard let first, let count = number(first, count: countLength) else { return nil }
    // More than any file has, if it is there at all.
    let isThere = count <= 65_535 && bytes.slice(first + countLength, count: count * fieldLength) != nil
    guard isThere else { return nil }
    guard count <= Self.maximumFields else { throw .corrupt("a directory of \(count) entries") }
    return fields(at: first)
  }

  /// Numbers of eight bytes that exceed every file are `nil`.
  func number(_ offset: Int, count: Int) -> Int? {
    guard count == 8 else {
      return isBigEndian ? bytes.big(offset, count: count) : bytes.little(offset, count: count)
    }
    guard bytes.byte(isBigEndian ? offset : offset + 7) == 0,
      bytes.byte(isBigEndian ? offset + 1 : offset + 6) == 0
    else { return nil }
    return isBigEndian ? bytes.big(offset + 2, count: 6) : bytes.little(offset, count: 6)
  }

  /// The place that a field has as its value.
  func link(_ field: Field) -> Int? { number(field.position, count: wide) }

  /// A single short, or the long that some writers use instead, signed or unsigned. Negative numbers appear as large ones, which are not
  /// valid.
  func single(_ tag: Int, in directory: Int) -> Int? {
    guard let field = field(tag: tag, at: directory), field.count == 1, [3, 4, 9].contains(field.type) else {
      return nil
    }
    return number(field.position, count: field.size)
  }

  /// The integers of a field; none if there are more than sixteen.
  func values(_ field: Field) -> [Int] {
    guard field.count <= 16 else { return [] }
    return (0..<field.count).compactMap { value($0, of: field) }
  }

  /// One of the integers of a field.
  func value(_ index: Int, of field: Field) -> Int? {
    guard [1, 3, 4, 16].contains(field.type), let start = start(field) else { return nil }
    return number(start + index * field.size, count: field.size)
  }

  /// Whether the file contains all bytes of a field. Unknown types are not checked.
  func isThere(_ field: Field) -> Bool { field.size == 0 || stored(field) != nil }

  /// The bytes of a field.
  func stored(_ field: Field) -> ByteView? {
    guard let start = start(field) else { return nil }
    // A count has 48 bits.
    return bytes.slice(start, count: field.count * field.size)
  }

  /// A few bytes are stored in the field itself.
  private func start(_ field: Field) -> Int? {
    guard field.size > 0 else { return nil }
    return field.count <= wide / field.size ? field.position : link(field)
  }
}

extension TIFFReader.Field {
  /// Of a single value; 0 for an unknown type.
  fileprivate var size: Int { ExifField.size(ofType: type) }
}

extension TIFFReader {
  /// Exif data, with or without the prefix that JPEG has before it.
  init?(exif bytes: ByteView) {
    guard let tiff = bytes.rest(from: bytes.holds("Exif\0\0", at: 0) ? 6 : 0) else { return nil }
    self.init(tiff)
  }

  /// The small JPEG that cameras embed.
  var thumbnail: ByteView? {
    guard let first, let second = next(after: first), second > 0, let start = single(0x0201, in: second),
      let length = single(0x0202, in: second)
    else { return nil }
    return bytes.slice(start, count: length)
  }
}

extension ImageOrientation {
  /// Reads the orientation from EXIF data; `.up` if it is missing or not valid.
  init(exif: ByteView) {
    let reader = TIFFReader(exif: exif)
    let number = reader.flatMap { reader in reader.first.flatMap { reader.single(0x0112, in: $0) } }
    self = number.flatMap(ImageOrientation.init(rawValue:)) ?? .up
  }
}
