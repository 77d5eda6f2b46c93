import CCodecs

/// The blocks of metadata that are written into a file.
struct WrittenMetadata: Sendable, Equatable {
  var exif: [UInt8]?
  var xmp: XMPPacket?
  var iptc: [UInt8]?

  static let none = WrittenMetadata()

  /// Calls `body` with the blocks as a library takes them.
  func withBlocks<Value>(
    profile: [UInt8], _ body: (CodecMetadata) throws(ImageCodecError) -> Value
  ) throws(ImageCodecError) -> Value {
    // One after the other, so that one pointer is enough.
    let (exif, xmp) = (exif ?? [], xmp?.serialized ?? [])
    return try (profile + exif + xmp).withBytes { bytes throws(ImageCodecError) in
      let start = bytes.bytes
      return try body(
        CodecMetadata(
          profile: start, profileCount: profile.count, exif: start.map { $0 + profile.count },
          exifCount: exif.count, xmp: start.map { $0 + profile.count + exif.count }, xmpCount: xmp.count))
    }
  }
}

extension ImageMetadata {
  /// The part that an image of this size keeps.
  func written(_ kept: KeptMetadata, size: PixelSize, isSRGB: Bool) -> WrittenMetadata {
    guard kept.readsFile else { return .none }
    return WrittenMetadata(
      exif: keptExif(kept, size: size, isSRGB: isSRGB)?.serialized, xmp: keptXMP(kept),
      iptc: iptc?.serialized { set in
        kept.contains(.descriptions)
          ? !Self.sizesInIPTC.contains(set.number)
          : kept.contains(.copyright) && Self.copyrightsInIPTC.contains(set.number)
      })
  }

  // MARK: Exif

  /// Credit, creators, source, copyright and contact.
  private static let copyrightsInIPTC: Set<UInt8> = [80, 85, 110, 115, 116, 118]
  /// Previews, and the type and orientation of the image.
  private static let sizesInIPTC: Set<UInt8> = [130, 131, 200, 201, 202]

  private static let structural: Set<String> = [
    "Orientation", "PixelXDimension", "PixelYDimension", "ColorSpace", "MakerNote", "YCbCrPositioning",
    "ComponentsConfiguration", "CompressedBitsPerPixel", "RelatedSoundFile", "SubjectArea", "SubjectLocation",
    "FocalPlaneXResolution", "FocalPlaneYResolution", "FocalPlaneResolutionUnit",
  ]

  /// Only tags with a name are kept. Maker notes contain offsets, which would be wrong, thumbnails show the image before its
  /// changes, and places within the image no longer apply.
  private func keptExif(_ kept: KeptMetadata, size: PixelSize, isSRGB: Bool) -> ExifData? {
    guard var exif else { return nil }
    exif.fields = exif.fields.filter { tag, field in
      guard let name = tag.name, field.type <= 12, !Self.structural.contains(name) else { return false }
      switch tag.directory {
      case .location: return kept.contains(.location)
      // Its rules are about the colors and the name of the original file.
      case .interoperability: return false
      case .image, .photo:
        if kept.contains(.descriptions) { return true }
        return kept.contains(.copyright) && (name == "Artist" || name == "Copyright")
      }
    }
    guard !exif.fields.isEmpty else { return nil }
    exif.complete(size: size, isSRGB: isSRGB)
    return exif
  }

  // MARK: XMP

  private func keptXMP(_ kept: KeptMetadata) -> XMPPacket? {
    var packet: XMPPacket
    if kept.contains(.descriptions), var own = xmp?.packet {
      own.remove { name in
        name.describesFile || !kept.contains(.location) && name.isPosition
      }
      packet = own
    } else {
      packet = XMPPacket()
      if kept.contains(.location) { addPosition(to: &packet) }
    }
    if kept.contains(.copyright) || kept.contains(.descriptions) { addRights(to: &packet) }
    if kept.contains(.descriptions) { addDescriptions(to: &packet) }
    return packet.isEmpty ? nil : packet
  }

  /// Those that the packet lacks. They may be in blocks that not all formats have.
  private func addRights(to packet: inout XMPPacket) {
    packet.complete("dc", XMPNamespace.dublinCore, "creator", creators, .sequence)
    packet.complete("dc", XMPNamespace.dublinCore, "rights", [copyright], .alternatives)
    packet.complete("xmpRights", XMPNamespace.rights, "UsageTerms", [usageTerms], .alternatives)
    packet.complete("xmpRights", XMPNamespace.rights, "WebStatement", [rightsPage], .simple)
    packet.complete("photoshop", XMPNamespace.photoshop, "Credit", [credit], .simple)
    packet.complete("photoshop", XMPNamespace.photoshop, "Source", [source], .simple)
    packet.complete(
      "Iptc4xmpExt", XMPNamespace.iptcExtension, "DigitalSourceType", [digitalSourceType], .simple)
  }

  private func addDescriptions(to packet: inout XMPPacket) {
    packet.complete("dc", XMPNamespace.dublinCore, "title", [title], .alternatives)
    packet.complete("dc", XMPNamespace.dublinCore, "description", [caption], .alternatives)
    packet.complete("dc", XMPNamespace.dublinCore, "subject", keywords, .bag)
    packet.complete("photoshop", XMPNamespace.photoshop, "City", [city], .simple)
    packet.complete("photoshop", XMPNamespace.photoshop, "Country", [country], .simple)
  }

  private func addPosition(to packet: inout XMPPacket) {
    for name in ["GPSLatitude", "GPSLongitude", "GPSAltitude", "GPSAltitudeRef"] {
      packet.complete("exif", XMPNamespace.exif, name, [xmpText(XMPNamespace.exif, name)], .simple)
    }
  }
}

extension XMPPacket {
  fileprivate mutating func complete(
    _ prefix: String, _ address: String, _ name: String, _ values: [String?], _ form: Form
  ) {
    if self.values(address, name).isEmpty { add(prefix, address, name, values.compactMap { $0 }, form) }
  }
}

extension XMLElement.Name {
  /// Whether it says where something is on Earth, in any namespace.
  fileprivate var isPosition: Bool {
    let name = local.lowercased()
    // The vocabulary of the W3C has short names.
    return ["lat", "lon", "long", "lng"].contains(name) || address.hasPrefix("http://www.w3.org/2003/01/geo/")
      || ["gps", "latitude", "longitude", "altitude", "geotag"].contains { name.contains($0) }
  }

  /// Whether it is about the original file: its size, orientation, colors, thumbnails, further images in it, and what a program is to
  /// do with it.
  fileprivate var describesFile: Bool {
    switch address {
    case XMPNamespace.tiff:
      !["Make", "Model", "Artist", "Copyright", "ImageDescription", "Software", "DateTime"].contains(local)
    case XMPNamespace.exif:
      [
        "PixelXDimension", "PixelYDimension", "ColorSpace", "MakerNote", "SubjectArea", "SubjectLocation",
        "FocalPlaneXResolution", "FocalPlaneYResolution", "FocalPlaneResolutionUnit",
      ].contains(local)
    // Of regions, such as faces, that are not where they were once pixels are turned or cut.
    case XMPNamespace.iptcExtension: local == "ImageRegion"
    case XMPNamespace.basic: local == "Thumbnails"
    case XMPNamespace.photoshop: ["ICCProfile", "ColorMode", "DocumentAncestors"].contains(local)
    case XMPNamespace.cameraRaw, XMPNamespace.note: true
    default:
      address.hasPrefix("http://ns.google.com/photos/") || address == GainMap.Metadata.xmpAddress
        || address.hasPrefix("http://ns.apple.com/HDRGainMap/")
        || address.hasPrefix("http://www.metadataworkinggroup.com/schemas/regions/")
        || address.hasPrefix("http://ns.microsoft.com/photo/1.2/")
        || address.hasPrefix("http://ns.apple.com/faceinfo/")
    }
  }
}

extension ExifData {
  /// Sets the tags that follow from the image, and those that the standard requires.
  fileprivate mutating func complete(size: PixelSize, isSRGB: Bool) {
    set("Orientation", ImageOrientation.up.rawValue)
    set("PixelXDimension", size.width, isLong: true)
    set("PixelYDimension", size.height, isLong: true)
    let (sRGB, uncalibrated) = (1, 0xFFFF)
    set("ColorSpace", isSRGB ? sRGB : uncalibrated)
    let centered = 1
    set("YCbCrPositioning", centered)
    let colors: [UInt8] = [1, 2, 3, 0]
    set("ComponentsConfiguration", ExifField.undefined, colors)
    setIfMissing("ExifVersion", ExifField.undefined, Array("0232".utf8))
    setIfMissing("FlashpixVersion", ExifField.undefined, Array("0100".utf8))
    if self["XResolution"] == nil || self["YResolution"] == nil || self["ResolutionUnit"] == nil {
      let (rational, inches) = (5, 2)
      let values = [72, 1].flatMap { ExifField.number($0, 4, isBigEndian: isBigEndian) }
      set("XResolution", rational, values)
      set("YResolution", rational, values)
      set("ResolutionUnit", inches)
    }
    let hasPosition = fields.keys.contains { $0.directory == .location }
    if hasPosition { setIfMissing("GPSVersionID", 1, [2, 3, 0, 0]) }
  }

  private mutating func setIfMissing(_ name: String, _ type: Int, _ bytes: [UInt8]) {
    if self[name] == nil { set(name, type, bytes) }
  }
}
