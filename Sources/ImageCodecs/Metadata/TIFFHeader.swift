/// What a TIFF file says of its first picture, read without libtiff: limits are checked before it runs.
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

  init(_ bytes: ByteView) throws(ImageCodecError) {
    let fields = TIFFFields(bytes)
    guard let directory = fields.number(4, count: 4), let count = fields.number(directory, count: 2),
      bytes.slice(directory + 2, count: count * 12) != nil
    else { throw .truncated }
    guard count <= 1_000 else { throw .corrupt("a directory of \(count) entries") }
    for entry in 0..<count { read(fields, at: directory + 2 + entry * 12) }
    guard size.width > 0, size.height > 0 else { throw .corrupt("an empty image") }
    guard (1...8).contains(samples), [1, 2, 4, 8, 16, 24, 32, 64].contains(bits) else {
      throw .unsupportedFeature("TIFF of \(samples) samples of \(bits) bits")
    }
  }

  var info: ImageInfo {
    ImageInfo(
      format: .tiff, storedSize: size, orientation: orientation, hasAlpha: hasAlpha, bitsPerComponent: bits)
  }

  /// What the pixels become: nil if libtiff makes them RGBA.
  var plainFormat: Image.PixelFormat? {
    guard bits == 8 || bits == 16, !isInPlanes, !isTiled, compression != 6, compression != 7 else {
      return nil
    }
    switch (colors, samples, extras) {
    case (1, 1, []): return .gray8
    case (2, 3, []): return .rgb8
    case (2, 4, [2]): return .rgba8
    default: return nil
    }
  }

  var bytesPerStoredPixel: Int { (samples * bits + 7) / 8 }

  var hasAlpha: Bool { extras.contains { $0 == 1 || $0 == 2 } }

  func profile(maximumBytes: Int) -> [UInt8]? {
    guard let profileBytes, profileBytes.count <= maximumBytes else { return nil }
    return profileBytes.array
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
    case 274: orientation = ImageOrientation(rawValue: values().first ?? 1) ?? .up
    case 277: samples = values().first ?? 1
    case 284: isInPlanes = values().first == 2
    case 322: isTiled = true
    case 338: extras = values()
    case 34_675: profileBytes = fields.bytes(of: position)
    default: break
    }
  }
}

/// Numbers of a TIFF, in its own byte order.
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

  /// The whole numbers of an entry, sixteen at most: more are nothing that is asked for here.
  func values(of entry: Int) -> [Int] {
    guard let type = number(entry + 2, count: 2), let count = number(entry + 4, count: 4) else { return [] }
    let length = type == 3 ? 2 : type == 4 ? 4 : type == 1 ? 1 : 0
    guard length > 0, count <= 16 else { return [] }
    guard let start = count * length <= 4 ? entry + 8 : number(entry + 8, count: 4) else { return [] }
    return (0..<count).compactMap { number(start + $0 * length, count: length) }
  }

  /// The bytes of an entry that does not hold them itself.
  func bytes(of entry: Int) -> ByteView? {
    guard let count = number(entry + 4, count: 4), count > 4, let start = number(entry + 8, count: 4) else {
      return nil
    }
    return bytes.slice(start, count: count)
  }
}
