/// The header of the first image of a TIFF file, read without libtiff, so that limits are checked before it runs.
struct TIFFHeader {
  private(set) var size = PixelSize(width: 0, height: 0)
  private(set) var orientation = ImageOrientation.up
  private(set) var layout = TIFFLayout()
  private var compression = 1
  private var predictor = 1
  private var tags = TIFFLayout.Tags()
  private var profileBytes: ByteView?
  /// Whether the file contains all fields and compressed pixels.
  private(set) var isComplete = true
  /// Whether it contains all compressed pixels, and all fields that pixels need.
  private(set) var hasAllPixels = true
  /// The entries with the offsets and lengths of the pixel data.
  private var starts: TIFFReader.Field?
  private var lengths: TIFFReader.Field?
  private var oldJPEG: (start: Int, length: Int) = (0, 0)

  init(_ bytes: ByteView) throws(ImageCodecError) {
    guard let reader = TIFFReader(bytes), let fields = try reader.wholeDirectory() else { throw .truncated }
    for field in fields {
      read(field, reader)
      if !reader.isThere(field) {
        isComplete = false
        if TIFFHeader.needed.contains(field.tag) { hasAllPixels = false }
      }
    }
    if !holdsParts(reader, bytes) { (isComplete, hasAllPixels) = (false, false) }
    guard size.width > 0, size.height > 0 else { throw .corrupt("an empty image") }
    tags.isFax = (2...4).contains(compression)
    tags.isOldJPEG = compression == 6
    layout = try TIFFLayout(tags)
    // LZW, Deflate, LZMA and Zstandard are the ones that have predictors.
    if [5, 8, 32_946, 34_925, 50_000].contains(compression) { try layout.check(predictor: predictor) }
  }

  var info: ImageInfo {
    ImageInfo(
      format: .tiff, storedSize: size, orientation: orientation, hasAlpha: layout.alpha != nil,
      bitsPerComponent: layout.bits)
  }

  func profile(maximumBytes: Int) -> [UInt8]? { profileBytes?.array(atMost: maximumBytes) }

  /// The tags that decide the pixels and their colors. Others may lie outside of the file.
  private static let needed: Set<Int> = Set(256...259).union(277...279).union(322...325).union(512...521)
    .union(529...532).union([262, 266, 273, 274, 284, 292, 293, 317, 320, 332, 338, 339, 347, 34_675])

  /// For compressed pixels: libtiff may take a truncated part for a complete one.
  private func holdsParts(_ reader: TIFFReader, _ bytes: ByteView) -> Bool {
    let end = oldJPEG.start + oldJPEG.length
    if compression == 6, end > bytes.count { return false }
    guard compression != 1, let starts, let lengths else { return true }
    return (0..<min(starts.count, lengths.count)).allSatisfy { index in
      guard let start = reader.value(index, of: starts), let length = reader.value(index, of: lengths) else {
        return false
      }
      return start <= bytes.count && length <= bytes.count - start
    }
  }

  private mutating func read(_ field: TIFFReader.Field, _ reader: TIFFReader) {
    let values = { reader.values(field) }
    switch field.tag {
    case 256: size.width = values().first ?? 0
    case 257: size.height = values().first ?? 0
    case 258: tags.bits = values()
    case 259: compression = values().first ?? 1
    case 262: tags.colors = values().first
    case 273, 324: starts = field
    case 274: orientation = ImageOrientation(rawValue: values().first ?? 1) ?? .up
    case 277: tags.samples = values().first ?? 1
    case 279, 325: lengths = field
    case 317: predictor = values().first ?? 1
    case 332: tags.inkSet = values().first ?? 1
    case 338: tags.extras = values()
    case 339: tags.formats = values()
    case 513: oldJPEG.start = values().first ?? 0
    case 514: oldJPEG.length = values().first ?? 0
    // One that may fit into its field is none.
    case 34_675 where field.count > 8: profileBytes = reader.stored(field)
    default: break
    }
  }
}
