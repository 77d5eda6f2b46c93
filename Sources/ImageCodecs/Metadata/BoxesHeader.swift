/// The header of the main image of an AVIF or HEIC file, read without a library, so that limits are checked before one
/// runs.
struct BoxesHeader {
  let format: ImageFormat
  /// Whether the file contains all boxes to their ends.
  let isComplete: Bool
  private(set) var size = PixelSize(width: 0, height: 0)
  private(set) var orientation = ImageOrientation.up
  private(set) var primaries: Int?
  private var profileBytes: ByteView?
  private var bits = 8
  private var hasAlpha = false
  private let isAnimated: Bool
  /// The boxes that describe images.
  private let pictures: [Box]

  init(_ bytes: ByteView, format: ImageFormat) throws(ImageCodecError) {
    self.format = format
    let boxes = Box.list(bytes)
    isComplete = boxes.allSatisfy(\.isComplete) && boxes.last?.end == bytes.count
    isAnimated = boxes.contains { $0.type == "moov" }
    guard let meta = boxes.first(where: { $0.type == "meta" }) else {
      throw isComplete ? .unsupportedFeature("boxes without an image") : .truncated
    }
    guard meta.isComplete else { throw .truncated }
    pictures = Box.list(meta.payload, from: 4)
    try readItems(pictures)
    guard size.width > 0, size.height > 0 else { throw .corrupt("an image without a size") }
  }

  var info: ImageInfo {
    ImageInfo(
      format: format, storedSize: size, orientation: orientation, hasAlpha: hasAlpha,
      isAnimated: isAnimated, bitsPerComponent: bits)
  }

  /// Throws if the images of the file differ from what its header announces.
  ///
  /// The libraries do not check this.
  func checkPictures(_ file: ByteView, watch: DecodingWatch) throws(ImageCodecError) {
    let references = try BoxesReferences(pictures)
    try references.check(watch: watch)
    if format == .heic { try HEVCStreams(file, boxes: pictures).check(within: size) }
  }

  func profile(maximumBytes: Int) -> [UInt8]? {
    guard let profileBytes, profileBytes.count <= maximumBytes else { return nil }
    return profileBytes.array
  }

  private mutating func readItems(_ boxes: [Box]) throws(ImageCodecError) {
    guard let main = boxes.first(where: { $0.type == "pitm" }).flatMap(BoxesHeader.identifier) else {
      throw .corrupt("no main image")
    }
    let parts = boxes.first { $0.type == "iprp" }.map { Box.list($0.payload) } ?? []
    let properties = parts.first { $0.type == "ipco" }.map { Box.list($0.payload) } ?? []
    hasAlpha = properties.contains(where: BoxesHeader.saysAlpha)
    for association in parts where association.type == "ipma" {
      for index in association.payload.properties(of: main) where index <= properties.count {
        read(properties[index - 1])
      }
    }
  }

  /// Rotations and mirrors are applied in the order in which they are listed.
  private mutating func read(_ property: Box) {
    let payload = property.payload
    switch property.type {
    case "ispe":
      size = PixelSize(width: payload.big(4, count: 4) ?? 0, height: payload.big(8, count: 4) ?? 0)
    case "irot":
      orientation = orientation.turned(quarters: 4 - (payload.byte(0) ?? 0) & 3)
    case "imir":
      orientation = orientation.mirrored(sideways: (payload.byte(0) ?? 0) & 1 == 1)
    case "pixi":
      if let first = payload.byte(5) { bits = first }
    case "colr" where payload.holds("prof", at: 0) || payload.holds("rICC", at: 0):
      profileBytes = payload.slice(4, count: payload.count - 4)
    case "colr" where payload.holds("nclx", at: 0):
      primaries = payload.big(4, count: 2)
    default:
      break
    }
  }

  private static func identifier(_ box: Box) -> Int? {
    box.payload.byte(0) == 0 ? box.payload.big(4, count: 2) : box.payload.big(4, count: 4)
  }

  private static func saysAlpha(_ box: Box) -> Bool {
    box.type == "auxC"
      && (box.payload.holds("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", at: 4)
        || box.payload.holds("urn:mpeg:hevc:2015:auxid:1", at: 4))
  }
}

extension ByteView {
  /// The numbers of the properties of an item, from 1.
  fileprivate func properties(of item: Int) -> [Int] {
    guard let version = byte(0), let flags = byte(3), let entries = big(4, count: 4) else { return [] }
    let idLength = version == 0 ? 2 : 4
    let indexLength = flags & 1 == 1 ? 2 : 1
    var position = 8
    for _ in 0..<entries {
      guard let id = big(position, count: idLength), let count = byte(position + idLength) else { return [] }
      position += idLength + 1
      if id == item {
        return (0..<count).compactMap { number in
          // The highest bit means that the property is essential.
          let mask = indexLength == 2 ? 0x7FFF : 0x7F
          return big(position + number * indexLength, count: indexLength).map { $0 & mask }
        }.filter { $0 > 0 }
      }
      position += count * indexLength
    }
    return []
  }
}
