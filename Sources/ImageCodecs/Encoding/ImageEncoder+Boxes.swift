import CCodecs

extension ImageEncoder {
  static func encodeBoxes(
    _ image: Image, as format: ImageFormat, quality: Double
  ) throws(ImageCodecError) -> [UInt8] {
    // A profile for gray does not describe RGB.
    let profile = image.pixelFormat == .gray8 ? [] : image.colorSpace.profile?.bytes ?? []
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    var message = [CChar](repeating: 0, count: Int(CodecMessageCapacity))
    let status = profile.withUnsafeBufferPointer { profile in
      image.withUnsafeBytes { pixels in
        var encoding = CodecBoxesEncoding(
          width: UInt32(image.width), height: UInt32(image.height),
          channels: UInt32(image.pixelFormat.bytesPerPixel), quality: Float(quality),
          profile: profile.baseAddress, profileCount: profile.count)
        return write(&encoding, format, pixels, image.bytesPerRow, &output, &count, &message)
      }
    }
    defer { codec_free(output) }
    try status.checkWriting(message)
    return Array(UnsafeBufferPointer(start: output, count: count))
  }

  private static func write(
    _ encoding: inout CodecBoxesEncoding, _ format: ImageFormat, _ pixels: UnsafeRawBufferPointer,
    _ bytesPerRow: Int, _ output: inout UnsafeMutablePointer<UInt8>?, _ count: inout Int,
    _ message: inout [CChar]
  ) -> CodecStatus {
    switch format {
    #if CODECS_AVIF
      case .avif: codec_avif_write(&encoding, pixels.bytes, bytesPerRow, &output, &count, &message)
    #endif
    #if CODECS_HEIF
      case .heic: codec_heif_write(&encoding, pixels.bytes, bytesPerRow, &output, &count, &message)
    #endif
    default: .unsupported
    }
  }
}
