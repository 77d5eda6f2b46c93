/// The header of the main image of an AVIF or HEIC file, or of its gain map, read without a library, so that limits are
/// checked before one runs.
struct BoxesHeader {
  let format: ImageFormat
  /// The size of the image before anything is cut off.
  private(set) var codedSize = PixelSize(width: 0, height: 0)
  /// The part of the coded image that is shown.
  private(set) var area = PixelArea(width: 0, height: 0)
  private(set) var orientation = ImageOrientation.up
  private var namedColors: CodedColors?
  private var peak: Double?
  private var profileBytes: ByteView?
  private var bits: Int?
  private var hasAlpha = false
  /// Whether it has one channel, which the libraries decode as three.
  private(set) var isGray = false
  /// The image that is described.
  let image: Int
  let items: BoxesItems

  init(_ bytes: ByteView, format: ImageFormat) throws(ImageCodecError) {
    let items = try BoxesItems(bytes)
    try self.init(items, image: items.main, format: format)
    hasAlpha = items.hasAlpha
  }

  /// Describes an image, without its alpha.
  init(_ items: BoxesItems, image: Int, format: ImageFormat) throws(ImageCodecError) {
    (self.items, self.image, self.format) = (items, image, format)
    let own = items.properties(of: image)
    codedSize = items.trackSize ?? codedSize
    own.forEach { describe($0) }
    // A grid has its decoder's configuration at its parts only.
    if bits == nil { bits = own.lazy.compactMap(\.codedBits).first ?? items.codedBits }
    area = PixelArea(width: codedSize.width, height: codedSize.height)
    own.forEach { transform($0) }
    guard codedSize.width > 0, codedSize.height > 0 else { throw .corrupt("an image without a size") }
  }

  var info: ImageInfo {
    ImageInfo(
      format: format, storedSize: area.size, orientation: orientation, hasAlpha: hasAlpha,
      isAnimated: items.hasTracks, bitsPerComponent: bits ?? 8)
  }

  /// The colors that numbers name; `nil` without numbers.
  var colors: CodedColors? {
    var colors = namedColors
    colors?.peak = peak
    return colors
  }

  /// Returns what the library reads. Throws if the image differs from what its header announces, which the libraries do
  /// not check, or if a part of it is missing.
  func selection(_ file: ByteView, watch: DecodingWatch) throws(ImageCodecError) -> BoxesSelection {
    try BoxesReferences(items.references).check(watch: watch)
    let needed = items.needed(for: image)
    let locations = try ItemLocations(items, file: file)
    var derived = DerivedImages(items, locations)
    try derived.check(needed)
    if format == .heic {
      // libheif has more codecs, but the sizes in their streams are not checked here.
      guard !items.hasOtherTypes(needed, than: .heic) else {
        throw .unsupported(
          "an image of another kind than HEVC", by: BoxesLibrary(.heic)?.installed ?? "libheif")
      }
      let streams = HEVCStreams(file: file, items: items, needed: needed, locations: locations, watch: watch)
      try streams.check(within: codedSize)
    }
    guard needed.allSatisfy({ locations.extents[$0]?.allSatisfy(\.isComplete) ?? true }) else {
      throw .truncated
    }
    return BoxesSelection(file, items: items, image: image, needed: needed, size: codedSize, format: format)
  }

  func profile(maximumBytes: Int) -> [UInt8]? { profileBytes?.array(atMost: maximumBytes) }

  private mutating func describe(_ property: Box) {
    let payload = property.payload
    switch property.type {
    case "ispe": codedSize = property.size
    case "pixi":
      if let first = payload.byte(5) { bits = first }
      isGray = payload.byte(4) == 1
    case "colr" where payload.holds("prof", at: 0) || payload.holds("rICC", at: 0):
      profileBytes = payload.rest(from: 4)
    case "colr" where payload.holds("nclx", at: 0):
      guard let primaries = payload.big(4, count: 2), let transfer = payload.big(6, count: 2) else { break }
      namedColors = CodedColors(primaries: primaries, transfer: transfer)
    case "clli":
      peak = payload.big(0, count: 2).flatMap { $0 > 0 ? Double($0) : nil }
    default: break
    }
  }

  /// Rotations, mirrors and crops are applied in the order in which they are listed.
  private mutating func transform(_ property: Box) {
    let payload = property.payload
    switch property.type {
    case "irot":
      orientation = orientation.turned(quarters: 4 - (payload.byte(0) ?? 0) & 3)
    case "imir":
      orientation = orientation.mirrored(sideways: (payload.byte(0) ?? 0) & 1 == 1)
    case "clap":
      // Without a valid area, everything is shown.
      if let inner = CleanAperture(payload)?.area(of: orientation.upright(area.size)) {
        area = area.part(inner, orientation: orientation)
      }
    default: break
    }
  }
}

extension Box {
  /// The bits of a sample, in the configuration of a decoder of AV1 or HEVC.
  var codedBits: Int? {
    switch type {
    case "av1C": payload.byte(2).map { $0 & 0x40 == 0 ? 8 : $0 & 0x20 == 0 ? 10 : 12 }
    case "hvcC": payload.byte(17).map { $0 & 7 + 8 }
    default: nil
    }
  }
}
