extension ImageEncoder {
  /// Returns the encoded file with metadata of the file that the image was decoded from.
  ///
  /// ```swift
  /// let small = try ImageDecoder.decode(bytes).resized(to: .fitting(320))
  /// let copy = try ImageEncoder.encode(small, as: .jpeg(), keeping: .copyright, of: metadata)
  /// ```
  ///
  /// The orientation in the file is 1, because pixels are upright, and sizes are those of `image`. Exif is written as tags of the
  /// standard, without maker notes and thumbnails. XMP that is not well-formed is not written. Creators, copyright, descriptions and
  /// keywords are in XMP even if they come from other blocks. IPTC is written by JPEG only.
  ///
  /// Throws ``ImageCodecError/encodingFailed(_:)`` also if a JPEG has no room for a block: 64 KiB each.
  public static func encode(
    _ image: Image, as encoding: Encoding, keeping kept: KeptMetadata, of metadata: ImageMetadata
  ) throws(ImageCodecError) -> [UInt8] {
    let image = kept.contains(.color) ? image.labelled(for: encoding.format) : image
    let written = metadata.written(kept, size: image.size, isSRGB: image.colorSpace.isSRGB)
    return try encode(image, as: encoding, writing: written)
  }

  // MARK: JPEG

  /// The segments in the order in which they are written.
  static func jpegSegments(
    _ written: WrittenMetadata, xmp: XMPPacket?
  ) throws(ImageCodecError) -> [(marker: UInt8, content: [UInt8])] {
    var segments: [(marker: UInt8, content: [UInt8])] = []
    if let exif = written.exif { segments.append((0xE1, ExifData.prefix + exif)) }
    if let xmp { segments.append((0xE1, XMPPacket.segmentName.bytes + xmp.serialized)) }
    if let iptc = written.iptc { segments.append((0xED, PhotoshopResources.segment(iptc: iptc))) }
    for segment in segments where segment.content.count > 65_533 {
      throw .encodingFailed("\(segment.content.count) bytes of metadata in a segment of at most 65,533")
    }
    return segments
  }

  static func adding(_ written: WrittenMetadata, toJPEG file: [UInt8]) throws(ImageCodecError) -> [UInt8] {
    inserting(try jpegSegments(written, xmp: written.xmp), into: file)
  }

  // MARK: PNG

  /// Behind the header.
  static func adding(_ written: WrittenMetadata, toPNG file: [UInt8]) -> [UInt8] {
    var chunks: [UInt8] = []
    if let exif = written.exif { chunks += PNGChunk.bytes("eXIf", exif) }
    if let xmp = written.xmp {
      let isNotCompressed: [UInt8] = [0, 0], noLanguage: [UInt8] = [0], noTranslation: [UInt8] = [0]
      chunks += PNGChunk.bytes(
        "iTXt",
        [UInt8](
          joining: Array("XML:com.adobe.xmp\0".utf8), isNotCompressed, noLanguage, noTranslation,
          xmp.serialized))
    }
    let headerEnd = PNGChunk.signature.count + 25
    return [UInt8](joining: Array(file[..<headerEnd]), chunks, Array(file[headerEnd...]))
  }
}

extension Image {
  /// The image with a color space that a file of this format names. The pixels are not changed.
  fileprivate func labelled(for format: ImageFormat) -> Image {
    guard colorSpace.isSRGB else { return self }
    var labelled = self
    if format.codec.namesSRGB {
      labelled.colorSpace = .sRGB
    } else if !pixelFormat.isGray, let profile = ICCProfile.sRGB {
      labelled.colorSpace = .profile(profile)
    }
    return labelled
  }
}

extension Image.ColorSpace {
  fileprivate var isSRGB: Bool {
    switch self {
    case .sRGB, .untagged: true
    case .profile(let profile): profile == .sRGB
    }
  }
}
