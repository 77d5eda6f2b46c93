extension BoxesHeader {
  /// The bytes of metadata that are read. A map of three channels has 142.
  private static let maximumMetadata = 1_024

  /// The gain map of the main image, which a derived image of both (`tmap`) names (ISO/IEC 23008-12, 6.6.2.4).
  func gainMap(in file: ByteView) -> EncodedGainMap? {
    guard let locations = try? ItemLocations(items, file: file) else { return nil }
    var derived = items.toneMaps
    for reference in items.references where reference.type == "dimg" {
      guard derived.remove(reference.from) != nil, reference.to.count == 2, reference.to[0] == image,
        reference.to[1] != image,
        let content = locations.content(of: reference.from, maximumBytes: Self.maximumMetadata),
        let metadata = content.withUnsafeBytes({ GainMap.Metadata(toneMap: ByteView($0)) }),
        let header = try? BoxesHeader(items, image: reference.to[1], format: format)
      else { continue }
      return EncodedGainMap(header: header, bytes: file, metadata: metadata, isGray: header.isGray)
    }
    return nil
  }
}

extension GainMap.Metadata {
  /// The content of a derived image of the type `tmap`: a version, and the form of ISO 21496-1.
  init?(toneMap bytes: ByteView) {
    guard bytes.byte(0) == 0, let iso = bytes.rest(from: 1) else { return nil }
    self.init(iso: iso)
  }

  /// The same, written.
  var toneMap: [UInt8] { [0] + iso.dropFirst(Self.isoName.utf8CodeUnitCount) }
}
