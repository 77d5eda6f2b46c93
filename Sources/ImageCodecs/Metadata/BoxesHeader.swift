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
  private let isAnimated: Bool
  /// The image that is described.
  let main: Int
  /// The box that names another image as the main one.
  private let nameToReplace: Box?
  /// The boxes that describe images.
  let pictures: [Box]

  /// - Parameter item: The image to describe instead of the main one. Its alpha is ignored.
  init(_ bytes: ByteView, format: ImageFormat, item: Int? = nil) throws(ImageCodecError) {
    self.format = format
    let boxes = Box.list(bytes)
    let isComplete = boxes.allSatisfy(\.isComplete) && boxes.last?.end == bytes.count
    isAnimated = boxes.contains { $0.type == "moov" }
    guard let meta = boxes.first(where: { $0.type == "meta" }) else {
      throw isComplete ? .unsupportedFeature("boxes without an image") : .truncated
    }
    guard meta.isComplete else { throw .truncated }
    pictures = Box.list(meta.payload, from: 4)
    let name = pictures.first { $0.type == "pitm" }
    guard let name, let main = BoxesHeader.identifier(name) else { throw .corrupt("no main image") }
    self.main = item ?? main
    nameToReplace = item == nil ? nil : name
    readMain()
    if item != nil { hasAlpha = false }
    guard codedSize.width > 0, codedSize.height > 0 else { throw .corrupt("an image without a size") }
  }

  var info: ImageInfo {
    ImageInfo(
      format: format, storedSize: area.size, orientation: orientation, hasAlpha: hasAlpha,
      isAnimated: isAnimated, bitsPerComponent: bits ?? 8)
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
    let references = try BoxesReferences(pictures)
    try references.check(watch: watch)
    let items = BoxesItems(pictures, main: main, references: references.list)
    let locations = try ItemLocations(pictures, file: file)
    if format == .heic {
      try HEVCStreams(file: file, items: items, locations: locations, watch: watch).check(within: codedSize)
    }
    let isComplete = locations.list.allSatisfy { item, extents in
      !items.needed.contains(item) || extents.allSatisfy(\.isComplete)
    }
    guard isComplete else { throw .truncated }
    return BoxesSelection(file, format: format, items: items, size: codedSize, nameToReplace: nameToReplace)
  }

  func profile(maximumBytes: Int) -> [UInt8]? {
    guard let profileBytes, profileBytes.count <= maximumBytes else { return nil }
    return profileBytes.array
  }

  private mutating func readMain() {
    let parts = pictures.first { $0.type == "iprp" }.map { Box.list($0.payload) } ?? []
    let properties = parts.first { $0.type == "ipco" }.map { Box.list($0.payload) } ?? []
    hasAlpha = properties.contains(where: \.saysAlpha)
    let numbers = parts.filter { $0.type == "ipma" }.flatMap { $0.payload.associations()[main] ?? [] }
    let own = numbers.compactMap { $0 <= properties.count ? properties[$0 - 1] : nil }
    own.forEach { describe($0) }
    // A grid has its decoder's configuration at its parts only.
    if bits == nil { bits = (own + properties).lazy.compactMap(\.codedBits).first }
    area = PixelArea(width: codedSize.width, height: codedSize.height)
    own.forEach { transform($0) }
  }

  private mutating func describe(_ property: Box) {
    let payload = property.payload
    switch property.type {
    case "ispe":
      codedSize = PixelSize(width: payload.big(4, count: 4) ?? 0, height: payload.big(8, count: 4) ?? 0)
    case "pixi":
      if let first = payload.byte(5) { bits = first }
      isGray = payload.byte(4) == 1
    case "colr" where payload.holds("prof", at: 0) || payload.holds("rICC", at: 0):
      profileBytes = payload.slice(4, count: payload.count - 4)
    case "colr" where payload.holds("nclx", at: 0):
      guard let primaries = payload.big(4, count: 2), let transfer = payload.big(6, count: 2) else { break }
      namedColors = CodedColors(primaries: primaries, transfer: transfer)
    case "clli":
      peak = payload.big(0, count: 2).flatMap { $0 > 0 ? Double($0) : nil }
    default:
      break
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
    default:
      break
    }
  }

  private static func identifier(_ box: Box) -> Int? {
    box.payload.byte(0) == 0 ? box.payload.big(4, count: 2) : box.payload.big(4, count: 4)
  }
}

extension Box {
  /// The bits of a sample, in the configuration of a decoder of AV1 or HEVC.
  fileprivate var codedBits: Int? {
    switch type {
    case "av1C": payload.byte(2).map { $0 & 0x40 == 0 ? 8 : $0 & 0x20 == 0 ? 10 : 12 }
    case "hvcC": payload.byte(17).map { $0 & 7 + 8 }
    default: nil
    }
  }
}
