import CCodecs

extension ImageEncoder {
  static func encodeBoxes(
    _ image: Image, as format: ImageFormat, quality: Double, _ metadata: WrittenMetadata
  ) throws(ImageCodecError) -> [UInt8] {
    // A profile for gray does not describe RGB.
    let profile = image.pixelFormat == .gray8 ? [] : image.colorSpace.profile?.bytes ?? []
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    var message = [CChar](repeating: 0, count: Int(CodecMessageCapacity))
    // One after the other, so that one pointer is enough.
    let (exif, xmp) = (metadata.exif ?? [], metadata.xmp?.serialized ?? [])
    let blocks = profile + exif + xmp
    let status = blocks.withUnsafeBufferPointer { blocks in
      image.withUnsafeBytes { pixels in
        var encoding = CodecBoxesEncoding(
          width: UInt32(image.width), height: UInt32(image.height),
          channels: UInt32(image.pixelFormat.bytesPerPixel), quality: Float(quality),
          profile: blocks.baseAddress, profileCount: profile.count,
          exif: blocks.baseAddress.map { $0 + profile.count }, exifCount: exif.count,
          xmp: blocks.baseAddress.map { $0 + profile.count + exif.count }, xmpCount: xmp.count)
        return BoxesLibrary(format)?
          .write(&encoding, pixels.bytes, image.bytesPerRow, &output, &count, &message) ?? .unsupported
      }
    }
    defer { codec_free(output) }
    try status.checkWriting(message)
    return Array(UnsafeBufferPointer(start: output, count: count))
  }
}
