/// The header of a JPEG file, read without libjpeg, so that limits are checked before it runs.
struct JPEGHeader {
  private(set) var size = PixelSize(width: 0, height: 0)
  private(set) var isProgressive = false
  /// The size of the coefficients per pixel, for all components and their sampling.
  private(set) var coefficientBytes = 0.0
  private(set) var exif: ByteView?
  private(set) var xmp: ByteView?
  /// The index of the multi-picture format.
  private(set) var multiPicture: ByteView?
  /// The metadata of a gain map after ISO 21496-1.
  private(set) var iso: ByteView?
  private var profileParts: [ByteView] = []
  private var hasFrame = false
  /// Whether there is a frame header of JPEG-LS.
  private var isJPEGLS = false

  init(_ bytes: ByteView) throws(ImageCodecError) {
    var position = 2
    while let segment = try JPEGSegment(bytes, at: position) {
      try read(segment)
      position = segment.end
    }
    guard hasFrame else {
      throw isJPEGLS
        ? .unsupportedFeature("JPEG-LS, which libjpeg does not read") : .corrupt("no frame header")
    }
  }

  var info: ImageInfo {
    ImageInfo(
      format: .jpeg, storedSize: size, orientation: exif.map(ImageOrientation.init(exif:)) ?? .up,
      hasAlpha: false, isProgressive: isProgressive, isAnimated: false, bitsPerComponent: 8)
  }

  /// The parts in order, or `nil` if one is missing, duplicate or contradicts the others.
  func profile(maximumBytes: Int) -> [UInt8]? {
    guard let count = profileParts.first?.byte(13), count == profileParts.count else { return nil }
    guard profileParts.reduce(0, { $0 + $1.count - 14 }) <= maximumBytes else { return nil }
    var parts = [ByteView?](repeating: nil, count: count)
    for part in profileParts {
      guard let number = part.byte(12), part.byte(13) == count, (1...count).contains(number),
        parts[number - 1] == nil
      else { return nil }
      parts[number - 1] = part.rest(from: 14)
    }
    return parts.compactMap { $0?.array }.flatMap { $0 }
  }

  private mutating func read(_ segment: JPEGSegment) throws(ImageCodecError) {
    switch segment.marker {
    case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA: try readFrame(segment)
    case 0xF7: isJPEGLS = true
    case 0xC3, 0xC5...0xC7, 0xCB, 0xCD...0xCF:
      throw .unsupportedFeature("JPEG that is lossless or hierarchical")
    case 0xE1 where exif == nil && segment.payload.holds("Exif\0\0", at: 0):
      exif = segment.payload
    case 0xE1 where xmp == nil && segment.payload.holds(XMPPacket.segmentName, at: 0):
      xmp = segment.payload
    case 0xE2 where multiPicture == nil && segment.payload.holds(MultiPictureIndex.name, at: 0):
      multiPicture = segment.payload
    case 0xE2 where iso == nil && segment.payload.holds(GainMap.Metadata.isoName, at: 0):
      iso = segment.payload.rest(from: GainMap.Metadata.isoName.utf8CodeUnitCount)
    case 0xE2 where segment.payload.holds("ICC_PROFILE\0", at: 0) && profileParts.count < 255:
      profileParts.append(segment.payload)
    default: break
    }
  }

  private mutating func readFrame(_ segment: JPEGSegment) throws(ImageCodecError) {
    guard !hasFrame else { throw .corrupt("two frame headers") }
    let payload = segment.payload
    guard let precision = payload.byte(0), let height = payload.big(1, count: 2),
      let width = payload.big(3, count: 2), let components = payload.byte(5)
    else { throw .corrupt("a short frame header") }
    guard precision == 8 else { throw .unsupportedFeature("JPEG of \(precision) bits") }
    guard width > 0, height > 0, components > 0 else { throw .corrupt("an empty frame") }
    guard [1, 3, 4].contains(components) else {
      throw .unsupportedFeature("JPEG of \(components) components")
    }
    size = PixelSize(width: width, height: height)
    let samplings = (0..<components).map { payload.byte(7 + $0 * 3) ?? 0x11 }
    let most = samplings.reduce(1) { max($0, $1 >> 4) } * samplings.reduce(1) { max($0, $1 & 15) }
    coefficientBytes = 2 * Double(samplings.reduce(0) { $0 + ($1 >> 4) * ($1 & 15) }) / Double(most)
    isProgressive = segment.marker == 0xC2 || segment.marker == 0xCA
    hasFrame = true
  }
}

/// A marker and its content.
struct JPEGSegment {
  let marker: Int
  let payload: ByteView
  let end: Int

  /// The next one at or after `position`; `nil` at the first scan or the end of the image.
  init?(_ bytes: ByteView, at position: Int) throws(ImageCodecError) {
    guard let position = bytes.jpegMarker(from: position) else { throw .truncated }
    guard let marker = bytes.byte(position + 1), marker != 0xD9, marker != 0xDA else { return nil }
    guard marker != 0xD8 else { throw .corrupt("an image within the image") }
    guard let length = bytes.big(position + 2, count: 2) else { throw .truncated }
    // The length contains its own two bytes. Segments with a smaller one are empty.
    guard let payload = bytes.slice(position + 4, count: max(length - 2, 0)) else { throw .truncated }
    (self.marker, self.payload) = (marker, payload)
    end = position + 2 + max(length, 2)
  }
}

extension ByteView {
  /// The next marker that is neither data nor a restart.
  fileprivate func jpegMarker(from start: Int) -> Int? {
    var position = start
    while let first = byte(position), let second = byte(position + 1) {
      let isMarker = first == 0xFF && second > 0x01 && second < 0xFF && !(0xD0...0xD7).contains(second)
      if isMarker { return position }
      position += 1
    }
    return nil
  }

  /// Everything except an incomplete last segment. libjpeg would read the end mark as its content.
  var wholeJPEGSegments: ByteView {
    var position = 2
    while let marker = jpegMarker(from: position), byte(marker + 1) != 0xD9 {
      guard let length = big(marker + 2, count: 2), marker + 2 + length <= count else {
        return slice(0, count: marker) ?? self
      }
      position = marker + 2 + length
    }
    return self
  }
}
