/// The header of the first image of a TIFF file, read without libtiff, so that limits are checked before it runs.
struct TIFFHeader {
  private(set) var size = PixelSize(width: 0, height: 0)
  private(set) var orientation = ImageOrientation.up
  private var bits = 1
  private var samples = 1
  private var compression = 1
  private var colors = 0
  private var extras: [Int] = []
  private var isInPlanes = false
  private var isTiled = false
  private var profileBytes: ByteView?
  /// Whether the file contains all fields and pixels.
  private(set) var isComplete = true
  /// The entries with the offsets and lengths of the pixel data.
  private var starts: Int?
  private var lengths: Int?
  private var oldJPEG: (start: Int, length: Int) = (0, 0)

  init(_ bytes: ByteView) throws(ImageCodecError) {
    let fields = TIFFFields(bytes)
    if fields.number(2, count: 2) == 43 { throw .unsupportedFeature("BigTIFF") }
    guard let directory = fields.number(4, count: 4), let count = fields.number(directory, count: 2),
      bytes.slice(directory + 2, count: count * 12) != nil
    else { throw .truncated }
    guard count <= 1_000 else { throw .corrupt("a directory of \(count) entries") }
    for entry in 0..<count {
      let position = directory + 2 + entry * 12
      read(fields, at: position)
      if !fields.isThere(position) { isComplete = false }
    }
    if !holdsParts(fields, bytes) { isComplete = false }
    guard size.width > 0, size.height > 0 else { throw .corrupt("an empty image") }
    guard (1...8).contains(samples), [1, 2, 4, 8, 16, 24, 32, 64].contains(bits) else {
      throw .unsupportedFeature("TIFF of \(samples) samples of \(bits) bits")
    }
  }

  var info: ImageInfo {
    ImageInfo(
      format: .tiff, storedSize: size, orientation: orientation, hasAlpha: hasAlpha, bitsPerComponent: bits)
  }

  /// The format of the decoded pixels; `nil` if libtiff converts them to RGBA.
  var plainFormat: Image.PixelFormat? {
    guard bits == 8 || bits == 16, !isInPlanes, !isTiled, compression != 6, compression != 7 else {
      return nil
    }
    switch (colors, samples, extras) {
    case (1, 1, []): return .gray8
    case (2, 3, []): return .rgb8
    case (2, 4, [2]): return .rgba8
    case (TIFFHeader.lab, 3, []): return .rgb8
    default: return nil
    }
  }

  /// Whether the color space is CIELab.
  var isLab: Bool { colors == TIFFHeader.lab }

  private static let lab = 8

  var bytesPerStoredPixel: Int { (samples * bits + 7) / 8 }

  var hasAlpha: Bool { extras.contains { $0 == 1 || $0 == 2 } }

  func profile(maximumBytes: Int) -> [UInt8]? {
    guard let profileBytes, profileBytes.count <= maximumBytes else { return nil }
    return profileBytes.array
  }

  /// For compressed pixels: libtiff may take a truncated part for a complete one.
  private func holdsParts(_ fields: TIFFFields, _ bytes: ByteView) -> Bool {
    let end = oldJPEG.start + oldJPEG.length
    if compression == 6, end > bytes.count { return false }
    guard compression != 1, let starts, let lengths else { return true }
    return (0..<min(fields.count(of: starts), fields.count(of: lengths))).allSatisfy { index in
      guard let start = fields.value(index, of: starts), let length = fields.value(index, of: lengths) else {
        return false
      }
      return start + length <= bytes.count
    }
  }

  private mutating func read(_ fields: TIFFFields, at position: Int) {
    guard let tag = fields.number(position, count: 2) else { return }
    let values = { fields.values(of: position) }
    switch tag {
    case 256: size.width = values().first ?? 0
    case 257: size.height = values().first ?? 0
    case 258: bits = values().max() ?? 1
    case 259: compression = values().first ?? 1
    case 262: colors = values().first ?? 0
    case 273, 324: starts = position
    case 274: orientation = ImageOrientation(rawValue: values().first ?? 1) ?? .up
    case 277: samples = values().first ?? 1
    case 279, 325: lengths = position
    case 284: isInPlanes = values().first == 2
    case 322: isTiled = true
    case 338: extras = values()
    case 513: oldJPEG.start = values().first ?? 0
    case 514: oldJPEG.length = values().first ?? 0
    case 34_675: profileBytes = fields.bytes(of: position)
    default: break
    }
  }
}

/// Reads numbers in the byte order of the file.
private struct TIFFFields {
  private let bytes: ByteView
  private let isBig: Bool

  init(_ bytes: ByteView) {
    self.bytes = bytes
    isBig = bytes.byte(0) == 0x4D
  }

  func number(_ offset: Int, count: Int) -> Int? {
    isBig ? bytes.big(offset, count: count) : bytes.little(offset, count: count)
  }

  /// The integers of an entry, at most sixteen; more are never needed.
  func values(of entry: Int) -> [Int] {
    let count = count(of: entry)
    guard count <= 16 else { return [] }
    return (0..<count).compactMap { value($0, of: entry) }
  }

  func count(of entry: Int) -> Int { number(entry + 4, count: 4) ?? 0 }

  /// One of the integers of an entry.
  func value(_ index: Int, of entry: Int) -> Int? {
    guard let type = number(entry + 2, count: 2), [1, 3, 4].contains(type), let start = start(of: entry)
    else {
      return nil
    }
    let length = TIFFFields.lengths[type]
    return number(start + index * length, count: length)
  }

  /// Whether the file contains all bytes of an entry. Unknown types are not checked.
  func isThere(_ entry: Int) -> Bool {
    guard let start = start(of: entry) else { return true }
    return bytes.slice(start, count: count(of: entry) * length(of: entry)) != nil
  }

  /// The size of each type, from 1.
  private static let lengths = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

  private func length(of entry: Int) -> Int {
    let type = number(entry + 2, count: 2) ?? 0
    return type < TIFFFields.lengths.count ? TIFFFields.lengths[type] : 0
  }

  /// Four bytes are stored in the entry itself.
  private func start(of entry: Int) -> Int? {
    let length = length(of: entry)
    guard length > 0 else { return nil }
    return count(of: entry) * length <= 4 ? entry + 8 : number(entry + 8, count: 4)
  }

  /// The bytes of an entry that are stored elsewhere.
  func bytes(of entry: Int) -> ByteView? {
    guard let count = number(entry + 4, count: 4), count > 4, let start = number(entry + 8, count: 4) else {
      return nil
    }
    return bytes.slice(start, count: count)
  }
}
