import CCodecs

extension ImageEncoder {
  static func encodeWebP(
    _ image: Image, quality: Double, effort: Int, isLossless: Bool
  ) throws(ImageCodecError) -> [UInt8] {
    var encoding = CodecWebPEncoding(
      width: UInt32(image.width), height: UInt32(image.height),
      channels: UInt32(image.pixelFormat.bytesPerPixel), isLossless: isLossless, quality: Float(quality),
      effort: UInt32(effort))
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = image.withUnsafeBytes { pixels in
      codec_webp_write(&encoding, pixels.bytes, image.bytesPerRow, &output, &count)
    }
    try status.checkWriting("libwebp refuses the image")
    defer { codec_webp_free(output) }
    return Array(UnsafeBufferPointer(start: output, count: count))
  }

  /// libwebp writes no profiles and no metadata, so its chunks are copied into a container with these.
  static func adding(_ metadata: WrittenMetadata, toWebP file: [UInt8], of image: Image) -> [UInt8] {
    // A profile for gray does not describe RGB.
    let profile = image.pixelFormat == .gray8 ? nil : image.colorSpace.profile
    guard profile != nil || metadata.exif != nil || metadata.xmp != nil else { return file }
    var container = WebPFile(
      size: image.size, hasAlpha: image.pixelFormat.hasAlpha, hasProfile: profile != nil,
      hasExif: metadata.exif != nil, hasXMP: metadata.xmp != nil)
    if let profile { container.append("ICCP", profile.bytes) }
    container.append(chunks: WebPFile.chunks(of: file))
    if let exif = metadata.exif { container.append("EXIF", exif) }
    if let xmp = metadata.xmp { container.append("XMP ", xmp.serialized) }
    return container.bytes
  }
}
