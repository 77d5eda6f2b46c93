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
        return BoxesLibrary(format)?
          .write(&encoding, pixels.bytes, image.bytesPerRow, &output, &count, &message) ?? .unsupported
      }
    }
    defer { codec_free(output) }
    try status.checkWriting(message)
    return Array(UnsafeBufferPointer(start: output, count: count))
  }
}
