/// A gain map in a file, not decoded yet.
struct EncodedGainMap {
  let header: any EncodedImageHeader
  let bytes: ByteView
  let metadata: GainMap.Metadata
  /// Whether the decoded pixels have the same value in all channels.
  var isGray = false
}

extension JPEGHeader {
  /// How many images of a file are looked at. Their headers are read completely.
  private static let maximumImages = 4

  /// The first image of the file that has the metadata of a gain map.
  func gainMap(in file: ByteView) -> EncodedGainMap? {
    var images = multiPicture.flatMap { MultiPictureIndex($0, in: file) }?.images ?? []
    if images.isEmpty, let image = packet.flatMap({ XMPDirectory.gainMap($0, in: file) }) {
      images = [image]
    }
    for bytes in images.prefix(Self.maximumImages) where bytes.big(0, count: 2) == 0xFFD8 {
      guard let header = try? JPEGHeader(bytes), let metadata = header.gainMapMetadata else { continue }
      return EncodedGainMap(header: header, bytes: bytes, metadata: metadata)
    }
    return nil
  }

  /// That of ISO 21496-1 is more exact, so it comes first.
  private var gainMapMetadata: GainMap.Metadata? {
    iso.flatMap { GainMap.Metadata(iso: $0) } ?? packet.flatMap { GainMap.Metadata(xmp: $0) }
  }

  private var packet: XMPPacket? { xmp.flatMap { XMPPacket(segment: $0) } }
}
