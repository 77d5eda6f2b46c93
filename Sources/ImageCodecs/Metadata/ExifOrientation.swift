extension ImageOrientation {
  /// What EXIF data says, or `.up` when it says nothing that can be believed.
  ///
  /// Reads the first directory and follows no link out of it, so there is nothing to loop through.
  init(exif: ByteView) {
    let tiff = exif.holds("Exif\0\0", at: 0) ? exif.slice(6, count: exif.count - 6) ?? exif : exif
    self = Exif(tiff)?.orientation.flatMap(ImageOrientation.init(rawValue:)) ?? .up
  }
}

private struct Exif {
  private static let orientationTag = 0x0112
  private static let maximumEntries = 1_000

  private let tiff: ByteView
  private let isBigEndian: Bool

  init?(_ tiff: ByteView) {
    self.tiff = tiff
    if tiff.holds("II*\0", at: 0) {
      isBigEndian = false
    } else if tiff.holds("MM\0*", at: 0) {
      isBigEndian = true
    } else {
      return nil
    }
  }

  var orientation: Int? {
    guard let directory = number(4, count: 4), let entries = number(directory, count: 2) else { return nil }
    for index in 0..<min(entries, Exif.maximumEntries) {
      let entry = directory + 2 + index * 12
      guard let tag = number(entry, count: 2) else { return nil }
      if tag == Exif.orientationTag { return value(of: entry) }
    }
    return nil
  }

  /// A single short, or the long that some writers use instead.
  private func value(of entry: Int) -> Int? {
    guard number(entry + 4, count: 4) == 1 else { return nil }
    switch number(entry + 2, count: 2) {
    case 3: return number(entry + 8, count: 2)
    case 4: return number(entry + 8, count: 4)
    default: return nil
    }
  }

  private func number(_ offset: Int, count: Int) -> Int? {
    isBigEndian ? tiff.big(offset, count: count) : tiff.little(offset, count: count)
  }
}
