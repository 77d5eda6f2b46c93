extension ImageEncoder {
  /// The JPEG with its gain map behind it, as Ultra HDR and ISO 21496-1 describe it.
  static func adding(
    _ gainMap: GainMap, to file: [UInt8], quality: Double, _ metadata: WrittenMetadata
  ) throws(ImageCodecError) -> [UInt8] {
    let plain = try encodeJPEG(gainMap.image, quality: quality, isProgressive: false)
    let map = inserting([(0xE1, gainMap.metadata.xmp), (0xE2, gainMap.metadata.iso)], into: plain)
    let directory = GainMap.Metadata.xmpDirectory(mapByteCount: map.count)
    var segments: [(marker: UInt8, content: [UInt8])] = [(0xE1, directory)]
    if metadata != .none {
      // A file has one packet of XMP.
      var packet = XMPPacket(Array(directory.dropFirst(XMPPacket.segmentName.utf8CodeUnitCount)))
      if let own = metadata.xmp { packet?.add(own) }
      segments = try jpegSegments(metadata, xmp: packet)
    }
    let main = inserting(segments + [(0xE2, GainMap.Metadata.isoVersion)], into: file)
    // The index has the size of the image, which it is a part of.
    let position = jpegHeadEnd
    let index = MultiPictureIndex.segment(
      at: position, mainByteCount: main.count + MultiPictureIndex.segmentByteCount,
      secondByteCount: map.count)
    return [UInt8](joining: Array(main[..<position]), index, Array(main[position...]), map)
  }

  static func inserting(_ segments: [(marker: UInt8, content: [UInt8])], into file: [UInt8])
    -> [UInt8]
  {
    let position = jpegHeadEnd
    let bytes = segments.flatMap { marker, content -> [UInt8] in
      let count = content.count + 2
      return [0xFF, marker, UInt8(count >> 8), UInt8(count & 255)] + content
    }
    return [UInt8](joining: Array(file[..<position]), bytes, Array(file[position...]))
  }

  /// Behind the JFIF segment that libjpeg writes first, whose size is always the same.
  private static let jpegHeadEnd = 20
}
