extension BoxesHeader {
  /// The bytes of metadata that are read. A map of three channels has 142.
  private static let maximumMetadata = 1_024

  /// The gain map of the main image, which a derived image of both (`tmap`) names (ISO/IEC 23008-12, 6.6.2.4).
  func gainMap(in file: ByteView) -> EncodedGainMap? {
    guard let references = try? BoxesReferences(pictures).list,
      let locations = try? ItemLocations(pictures, file: file)
    else { return nil }
    let items = BoxesItems(pictures, main: main, references: references)
    let derived = items.toneMaps
    for reference in references where reference.type == "dimg" && derived.contains(reference.from) {
      guard reference.to.count == 2, reference.to[0] == main, reference.to[1] != main,
        let content = locations.content(of: reference.from, maximumBytes: Self.maximumMetadata),
        let metadata = content.withUnsafeBytes({ GainMap.Metadata(toneMap: ByteView($0)) }),
        let header = try? BoxesHeader(file, format: format, item: reference.to[1])
      else { continue }
      return EncodedGainMap(header: header, bytes: file, metadata: metadata, isGray: header.isGray)
    }
    return nil
  }
}

extension ItemLocations {
  /// The bytes of an item; `nil` if some are missing or there are more.
  fileprivate func content(of item: Int, maximumBytes: Int) -> [UInt8]? {
    guard let extents = list.first(where: { $0.item == item })?.extents else { return nil }
    var content: [UInt8] = []
    for extent in extents {
      guard extent.isComplete, let bytes = extent.bytes, bytes.count <= maximumBytes - content.count else {
        return nil
      }
      content += bytes.array
    }
    return content
  }
}

extension GainMap.Metadata {
  /// The content of a derived image of the type `tmap`: a version, and the form of ISO 21496-1.
  init?(toneMap bytes: ByteView) {
    guard bytes.byte(0) == 0, let iso = bytes.slice(1, count: bytes.count - 1) else { return nil }
    self.init(iso: iso)
  }

  /// The same, written.
  var toneMap: [UInt8] { [0] + iso.dropFirst(Self.isoName.utf8CodeUnitCount) }
}
