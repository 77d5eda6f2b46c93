/// Reads numbers in the byte order of the file, with offsets of four bytes, or of eight in BigTIFF.
struct TIFFFields {
  private let bytes: ByteView
  private let isBig: Bool
  /// The size of counts and offsets.
  private let wide: Int

  init(_ bytes: ByteView) {
    self.bytes = bytes
    isBig = bytes.byte(0) == 0x4D
    wide = (isBig ? bytes.big(2, count: 2) : bytes.little(2, count: 2)) == 43 ? 8 : 4
  }

  /// The positions of the entries of the first directory; `nil` if the file ends before them.
  func entries() throws(ImageCodecError) -> [Int]? {
    if wide == 8, number(4, count: 4) != (isBig ? 8 << 16 : 8) {
      guard bytes.count >= 8 else { return nil }
      throw .corrupt("offsets of an unknown size")
    }
    let countLength = wide == 8 ? 8 : 2
    let length = 4 + wide * 2
    guard let directory = number(wide, count: wide), let count = number(directory, count: countLength) else {
      return nil
    }
    // More than any file has, if it is there at all.
    let isThere = count <= 65_535 && bytes.slice(directory + countLength, count: count * length) != nil
    guard isThere else { return nil }
    guard count <= 1_000 else { throw .corrupt("a directory of \(count) entries") }
    return (0..<count).map { directory + countLength + $0 * length }
  }

  /// Numbers of eight bytes that exceed every file are `nil`.
  func number(_ offset: Int, count: Int) -> Int? {
    guard count == 8 else {
      return isBig ? bytes.big(offset, count: count) : bytes.little(offset, count: count)
    }
    guard bytes.byte(isBig ? offset : offset + 7) == 0, bytes.byte(isBig ? offset + 1 : offset + 6) == 0
    else {
      return nil
    }
    return isBig ? bytes.big(offset + 2, count: 6) : bytes.little(offset, count: 6)
  }

  /// The integers of an entry; none if there are more than sixteen.
  func values(of entry: Int) -> [Int] {
    let count = count(of: entry)
    guard count <= 16 else { return [] }
    return (0..<count).compactMap { value($0, of: entry) }
  }

  func count(of entry: Int) -> Int { number(entry + 4, count: wide) ?? 0 }

  /// One of the integers of an entry.
  func value(_ index: Int, of entry: Int) -> Int? {
    guard let type = number(entry + 2, count: 2), [1, 3, 4, 16].contains(type), let start = start(of: entry)
    else { return nil }
    let length = TIFFFields.lengths[type]
    return number(start + index * length, count: length)
  }

  /// Whether the file contains all bytes of an entry. Unknown types are not checked.
  func isThere(_ entry: Int) -> Bool { length(of: entry) == 0 || stored(entry) != nil }

  /// The size of each type, from 1.
  private static let lengths = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]

  private func length(of entry: Int) -> Int {
    let type = number(entry + 2, count: 2) ?? 0
    return type < TIFFFields.lengths.count ? TIFFFields.lengths[type] : 0
  }

  /// A few bytes are stored in the entry itself.
  private func start(of entry: Int) -> Int? {
    let length = length(of: entry)
    guard length > 0 else { return nil }
    return count(of: entry) <= wide / length ? entry + 4 + wide : number(entry + 4 + wide, count: wide)
  }

  /// The bytes of an entry, stored in it or elsewhere.
  func stored(_ entry: Int) -> ByteView? {
    guard let start = start(of: entry) else { return nil }
    // A count has 48 bits.
    return bytes.slice(start, count: count(of: entry) * length(of: entry))
  }

  /// The bytes of an entry that are stored elsewhere.
  func bytes(of entry: Int) -> ByteView? {
    let count = count(of: entry)
    guard count > wide, let start = number(entry + 4 + wide, count: wide) else { return nil }
    return bytes.slice(start, count: count)
  }
}
