extension ImageOrientation {
  /// Reads the orientation from EXIF data; `.up` if it is missing or not valid.
  ///
  /// Only the first directory is read, and no link is followed, so there are no loops.
  init(exif: ByteView) {
    self = Exif(exif)?.orientation.flatMap(ImageOrientation.init(rawValue:)) ?? .up
  }
}

/// The first two directories of EXIF data. No other link is followed, so there are no loops.
struct Exif {
  private static let orientationTag = 0x0112
  private static let thumbnailStartTag = 0x0201
  private static let thumbnailLengthTag = 0x0202
  private static let maximumEntries = 1_000

  private let tiff: ByteView
  private let isBigEndian: Bool

  /// With or without the prefix that JPEG has before it.
  init?(_ bytes: ByteView) {
    tiff = bytes.holds("Exif\0\0", at: 0) ? bytes.slice(6, count: bytes.count - 6) ?? bytes : bytes
    if tiff.holds("II*\0", at: 0) {
      isBigEndian = false
    } else if tiff.holds("MM\0*", at: 0) {
      isBigEndian = true
    } else {
      return nil
    }
  }

  var orientation: Int? { number(4, count: 4).flatMap { value(of: Exif.orientationTag, in: $0) } }

  /// The small JPEG that cameras embed.
  var thumbnail: ByteView? {
    guard let first = number(4, count: 4), let entries = number(first, count: 2),
      let second = number(first + 2 + entries * 12, count: 4), second > 0,
      let start = value(of: Exif.thumbnailStartTag, in: second),
      let length = value(of: Exif.thumbnailLengthTag, in: second)
    else { return nil }
    return tiff.slice(start, count: length)
  }

  private func value(of wanted: Int, in directory: Int) -> Int? {
    guard let entries = number(directory, count: 2) else { return nil }
    for index in 0..<min(entries, Exif.maximumEntries) {
      let entry = directory + 2 + index * 12
      guard let tag = number(entry, count: 2) else { return nil }
      if tag == wanted { return value(of: entry) }
    }
    return nil
  }

  /// A single short, or the long that some writers use instead, signed or unsigned. Negative numbers appear as large
  /// ones, which are not valid.
  private func value(of entry: Int) -> Int? {
    guard number(entry + 4, count: 4) == 1 else { return nil }
    switch number(entry + 2, count: 2) {
    case 3: return number(entry + 8, count: 2)
    case 4, 9: return number(entry + 8, count: 4)
    default: return nil
    }
  }

  private func number(_ offset: Int, count: Int) -> Int? {
    isBigEndian ? tiff.big(offset, count: count) : tiff.little(offset, count: count)
  }
}
